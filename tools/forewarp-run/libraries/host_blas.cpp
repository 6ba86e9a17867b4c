// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "host_blas.h"

#include <dlfcn.h>

namespace forewarp::cli {
namespace {

constexpr const char* library_name = "libopenblas.so.0";

template <class Function>
bool find(void* library, const char* name, Function& function) {
  function = reinterpret_cast<Function>(host_function(library, name));  // NOLINT: dlsym
  return function != nullptr;
}

HostBlas load(unsigned threads) {
  HostBlas blas;
  void* const library = host_library(library_name);
  if (library == nullptr) return blas;
  void (*set_threads)(int) = nullptr;
  if (find(library, "openblas_set_num_threads", set_threads))
    set_threads(static_cast<int>(threads));
  const bool whole =
      find(library, "cblas_sgemm", blas.sgemm) && find(library, "cblas_dgemm", blas.dgemm) &&
      find(library, "cblas_cgemm", blas.cgemm) && find(library, "cblas_zgemm", blas.zgemm);
  return whole ? blas : HostBlas{};
}

}  // namespace

void* host_library(const char* name) {
  return ::dlopen(name, RTLD_NOW | RTLD_LOCAL);
}

void* host_function(void* library, const char* name) {
  return ::dlsym(library, name);
}

Expected<const HostBlas*> host_blas(unsigned threads) {
  static const HostBlas blas = load(threads);
  if (blas.sgemm != nullptr) return &blas;
  return Diagnostic{"cuBLAS", "products are computed by OpenBLAS, which is not on this machine",
                    library_name, "apt-get install libopenblas0"};
}

}  // namespace forewarp::cli
