// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/heap.h"

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <memory>
#include <sstream>
#include <string>
#include <thread>

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

bool uses_large_pages() {
  const std::unique_ptr<char[]> taken(new char[much]);
  std::memset(taken.get(), 1, much);
  return flags_of(taken.get() + much / 2).find(" hg") != std::string::npos;
}

/// Nothing of the room before the first whole large page is used.
bool begins_with_large_page() {
  constexpr std::uintptr_t large_page = std::uintptr_t{2} << 20;
  const std::unique_ptr<char[]> first(new char[much / 8]);
  constexpr std::uintptr_t head = 64;  // a chunk's own may lie before it
  return (reinterpret_cast<std::uintptr_t>(first.get()) + head) % large_page < much / 64;
}

bool system_has_large_pages() {
  return std::ifstream("/sys/kernel/mm/transparent_hugepage/enabled").good();
}

#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
constexpr bool sanitized = true;
#else
constexpr bool sanitized = false;
#endif

/// Zero where the heaps of this thread and of another one are of large pages.
int small_heaps() {
  base::keep_freed_memory();
  base::use_large_pages();
  int small = begins_with_large_page() && uses_large_pages() ? 0 : 1;
  std::thread([&small] {
    base::use_large_pages();
    if (!uses_large_pages()) small += 2;
  }).join();
  return small;
}

TEST(HeapDeathTest, IsAskedForInLargePagesByEachThread) {
  if (!system_has_large_pages() || sanitized) GTEST_SKIP() << "no large pages here";
  // In a process of its own: here, what earlier tests freed would be given out first.
  GTEST_FLAG_SET(death_test_style, "threadsafe");
  EXPECT_EXIT(std::exit(small_heaps()), testing::ExitedWithCode(0), "");
}

}  // namespace
}  // namespace forewarp::tests
