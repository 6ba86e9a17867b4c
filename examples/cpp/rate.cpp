// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// rate LISTING GPU: points per second of a sweep of 1,000 points, by a session that has seen it.
#include <chrono>
#include <cstdio>

#include <forewarp/forewarp.h>

int main(int count, char** words) {
  if (count != 3) return 2;
  const auto session = forewarp::Session::open().value();
  const auto kernel = session.kernel(words[1]).value();
  const auto gpu = session.gpu(words[2]).value();
  forewarp::Launch launch;
  launch.block(256).argument("n", 400'000'000).argument("a", 128);
  for (const char* turn : {"cold", "warm"}) {
    const auto began = std::chrono::steady_clock::now();
    auto points = session.sweep({kernel, gpu, launch}, forewarp::Sweep().over("grid=1:1000:1"));
    double sum = 0;
    for (const forewarp::Point& point : *points) sum += point.time_ms;
    const std::chrono::duration<double> took = std::chrono::steady_clock::now() - began;
    std::printf("%s %.0f points/s, %.3f ms in all\n", turn, static_cast<double>(points->size()) / took.count(), sum);
  }
}
