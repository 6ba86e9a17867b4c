// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "host_fft.h"

#include <string>

#include "host_blas.h"

namespace forewarp::cli {
namespace {

const char* fft_library(bool doubles) {
  return doubles ? "libfftw3.so.3" : "libfftw3f.so.3";
}

HostFft load_fft(bool doubles) {
  HostFft fft;
  void* const library = host_library(fft_library(doubles));
  if (library == nullptr) return fft;
  const std::string prefix = doubles ? "fftw_" : "fftwf_";
  const auto find = [&](const char* name, auto& function) {
    function = reinterpret_cast<std::remove_reference_t<decltype(function)>>(  // NOLINT: dlsym
        host_function(library, (prefix + name).c_str()));
    return function != nullptr;
  };
  const bool whole = find("plan_many_dft", fft.complex) &&
                     find("plan_many_dft_r2c", fft.from_real) &&
                     find("plan_many_dft_c2r", fft.to_real) && find("execute", fft.execute) &&
                     find("destroy_plan", fft.destroy);
  return whole ? fft : HostFft{};
}

}  // namespace

Expected<const HostFft*> host_fft(bool doubles) {
  static const HostFft of_floats = load_fft(false), of_doubles = load_fft(true);
  const HostFft& fft = doubles ? of_doubles : of_floats;
  if (fft.execute != nullptr) return &fft;
  return Diagnostic{
      "cuFFT", "transforms are computed by FFTW, which is not on this machine",
      fft_library(doubles),
      std::string("apt-get install ") + (doubles ? "libfftw3-double3" : "libfftw3-single3")};
}

}  // namespace forewarp::cli
