// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/heap.h"

#include <cstdint>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

constexpr std::size_t much = std::size_t{8} << 20;

/// The flags of the mapping that holds an address; "hg": large pages were asked for.
std::string flags_of(const void* address) {
  std::ifstream maps("/proc/self/smaps");
  const auto at = reinterpret_cast<std::uintptr_t>(address);
  bool inside = false;
  for (std::string line; std::getline(maps, line);) {
    std::uintptr_t begin = 0, end = 0;
    char dash = 0;
    std::istringstream range(line);
    if (range >> std::hex >> begin >> dash >> end && dash == '-') inside = begin <= at && at < end;
    if (inside && line.rfind("VmFlags:", 0) == 0) return line;
  }
  return {};
}

/// Whether memory that follows is of that kind: what earlier tests freed may be given out first.
bool uses_large_pages() {
  constexpr std::size_t blocks = 5;
  std::vector<std::unique_ptr<char[]>> taken;
  bool large = false;
  for (std::size_t i = 0; i < blocks; ++i) {
    taken.emplace_back(new char[much]);
    std::memset(taken.back().get(), 1, much);
    large = large || flags_of(taken.back().get() + much / 2).find(" hg") != std::string::npos;
  }
  return large;
}

bool system_has_large_pages() {
  return std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled").good();
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

TEST(Heap, IsAskedForInLargePagesByEachThread) {
  if (!system_has_large_pages() || sanitized) GTEST_SKIP() << "no large pages here";
  base::keep_freed_memory();
  base::use_large_pages();
  EXPECT_TRUE(uses_large_pages());
  bool thread_uses = false;
  std::thread([&] {
    base::use_large_pages();
    thread_uses = uses_large_pages();
  }).join();
  EXPECT_TRUE(thread_uses);
}

}  // namespace
}  // namespace forewarp::tests
