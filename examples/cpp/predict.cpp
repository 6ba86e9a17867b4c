// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// predict LISTING GPU: one launch of the bundled kernel, a sweep of its block size, and a what-if.
#include <algorithm>
#include <cstdio>
#include <vector>

#include <forewarp/forewarp.h>

namespace {

int refused(const forewarp::Error& why) {
  std::fprintf(stderr, "predict: %s\n", why.line().c_str());
  return 1;
}

}  // namespace

int main(int count, char** words) {
  if (count != 3) return refused({"arguments", "", "LISTING GPU", ""});
  const auto session = forewarp::Session::open();
  if (!session) return refused(session.error());
  const auto kernel = session->kernel(words[1]);
  if (!kernel) return refused(kernel.error());
  const auto gpu = session->gpu(words[2]);
  if (!gpu) return refused(gpu.error());

  forewarp::Launch launch;
  launch.grid(1'562'500).block(256).argument("n", 400'000'000).argument("a", 128);
  const auto result = session->predict({*kernel, *gpu, launch});
  if (!result) return refused(result.error());
  std::printf("%s on %s: %.2f ms, limited by %s\n", result->kernel().c_str(), gpu->name().c_str(),
              result->time_ms(), result->limited_by().c_str());
  for (const forewarp::Assumption& one : result->assumptions()) {
    std::printf("  assumed: %s\n", one.text.c_str());
  }

  // With threads, the grid follows the block.
  forewarp::Launch any_block;
  any_block.set("threads", "400000000").argument("n", 400'000'000).argument("a", 128);
  auto points = session->sweep({*kernel, *gpu, any_block},
                               forewarp::Sweep().over("block", 64, 1024, 64));
  if (!points) return refused(points.error());
  std::vector<forewarp::Point> swept;
  std::ranges::copy(*points, std::back_inserter(swept));
  const auto best = std::ranges::min_element(swept, {}, &forewarp::Point::time_ms);
  std::printf("best block: %s, %.2f ms\n", points->values(best->index)[0].c_str(), best->time_ms);

  const auto twice = gpu->with("sm.count", "x2");
  if (!twice) return refused(twice.error());
  const auto compared = session->compare({*kernel, *gpu, launch}, {*kernel, *twice, launch});
  if (!compared) return refused(compared.error());
  std::printf("with twice the multiprocessors: %s\n", compared->answer().c_str());
  return 0;
}
