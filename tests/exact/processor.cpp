// SPDX-License-Identifier: BSL-1.0
// processor <level> <program> [arguments]: runs the program if this processor has the instructions of that x86-64 level
// (x86-64, x86-64-v3 or x86-64-v4; "any" for a program that runs everywhere), else says what is missing and ends with 77.
// Compiled for the plain processor of its kind.
#include <unistd.h>

#include <cstdio>
#include <cstring>

namespace {

#if defined(__x86_64__)
bool has_v3()
{
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("fma") && __builtin_cpu_supports("bmi")
           && __builtin_cpu_supports("bmi2");
}

bool has_v4()
{
    return has_v3() && __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw")
           && __builtin_cpu_supports("avx512cd") && __builtin_cpu_supports("avx512dq") && __builtin_cpu_supports("avx512vl");
}

bool has(const char* level)
{
    if (std::strcmp(level, "x86-64-v4") == 0) return has_v4();
    if (std::strcmp(level, "x86-64-v3") == 0) return has_v3();
    return std::strcmp(level, "x86-64") == 0;
}
#else
bool has(const char*) { return false; }
#endif

}  // namespace

int main(int count, char** arguments)
{
    if (count < 3) return 2;
    if (std::strcmp(arguments[1], "any") != 0 && !has(arguments[1])) {
        std::printf("skipped: this processor does not have the instructions of %s\n", arguments[1]);
        return 77;
    }
    execv(arguments[2], arguments + 2);
    std::perror(arguments[2]);
    return 2;
}
