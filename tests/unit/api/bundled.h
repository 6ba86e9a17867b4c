// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <forewarp/forewarp.h>
#include <string>
#include <utility>

#include <gtest/gtest.h>

#include "test_paths.h"

namespace forewarp::tests {

inline const char* const bundled_file = FOREWARP_SOURCE_DIR "/examples/saxpy2.sass";

/// The value; its error is printed and ends the program.
template <typename T>
T value_of(api::Expected<T> made) {
  if (!made) ADD_FAILURE() << made.error().line();
  return *std::move(made);
}

/// A session on the tests' data that keeps nothing on disk.
inline api::Session opened(unsigned threads = 1) {
  api::SessionOptions options;
  options.data = FOREWARP_DATA_DIR;
  options.threads = threads;
  options.disk_cache = false;
  return value_of(api::Session::open(options));
}

/// The bundled kernel: a dependent multiply-add `a` times for each of n elements.
inline api::Launch bundled_launch(int a, std::uint32_t block = 256) {
  constexpr std::uint32_t n = 4'000'000;
  api::Launch launch;
  launch.grid(n / block).block(block).argument("n", n).argument("a", a);
  return launch;
}

inline api::Query bundled(const api::Session& session, int a, std::uint32_t block = 256,
                          const char* gpu = "gtx970") {
  return {value_of(session.kernel(bundled_file)), value_of(session.gpu(gpu)),
          bundled_launch(a, block)};
}

}  // namespace forewarp::tests
