// SPDX-License-Identifier: BSL-1.0
#include "modules.hpp"

#include <dlfcn.h>

#include <cstdlib>
#include <filesystem>
#include <sstream>
#include <stdexcept>

namespace bench {
namespace {

void prepare_environment()
{
    constexpr int keep = 0;
    for (const char* threads : {"OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"}) setenv(threads, "1", keep);
#ifdef __x86_64__
    // OpenBLAS 0.3.21 does not know newer processors and takes half as wide kernels for them.
    if (__builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512vl")) setenv("OPENBLAS_CORETYPE", "SkylakeX", keep);
#endif
}

template <class Function>
Function* function_of(void* library, const char* name)
{
    void* address = dlsym(library, name);
    if (address == nullptr) throw std::runtime_error(dlerror());
    return reinterpret_cast<Function*>(address);
}

}  // namespace

std::vector<module> load_modules()
{
    prepare_environment();
    const std::filesystem::path folder = std::filesystem::read_symlink("/proc/self/exe").parent_path();
    std::vector<module> all;
    std::istringstream names(BENCH_MODULES);
    for (std::string name; names >> name;) {
        void* library = dlopen((folder / (name + ".so")).c_str(), RTLD_NOW | RTLD_LOCAL);
        if (library == nullptr) throw std::runtime_error(dlerror());
        all.push_back({function_of<decltype(bench_add_peers)>(library, "bench_add_peers"),
                       function_of<decltype(bench_library)>(library, "bench_library")()});
    }
    return all;
}

}  // namespace bench
