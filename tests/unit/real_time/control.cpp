// SPDX-License-Identifier: BSL-1.0
// What check.cmake is to find: CONTROL does one thing that a call must not do.
extern "C" void call_in_your_memory() noexcept;
extern "C" void call_in_your_memory() noexcept {}

#if CONTROL == 1  // a function of the C library
extern "C" float expf(float);
extern "C" float control(float x) noexcept { return expf(x); }
#elif CONTROL == 2  // an initialiser before main
extern "C" int unknown();
extern const int before_main;
const int before_main = unknown();
#elif CONTROL == 3  // a guard of a variable
extern "C" int unknown() noexcept;
extern "C" int control() noexcept
{
    static const int once = unknown();
    return once;
}
#elif CONTROL == 4  // more stack than is allowed
extern "C" float call_in_too_deep(const float* x, int i) noexcept
{
    volatile float copy[4096];
    for (int j = 0; j < 4096; ++j) copy[j] = x[j];
    return copy[i];
}
#elif CONTROL == 5  // itself
extern "C" int call_itself(volatile int* x) noexcept
{
    const int next = *x;
    return next == 0 ? 0 : call_itself(x) + call_itself(x) * next;
}
#endif
