// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/host_pages.h"

#include <sys/mman.h>

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

using program_run::HostPages;
constexpr std::uint64_t page = 4096;

bool reach(HostPages::Use use, std::uint64_t address, std::uint64_t bytes) {
  HostPages pages(use);
  return pages.add(address, bytes) && pages.finish();
}

TEST(HostPages, TellWhatCanBeReadAndWritten) {
  void* made =
      ::mmap(nullptr, 2000 * page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  ASSERT_NE(made, MAP_FAILED);
  const auto begin = reinterpret_cast<std::uint64_t>(made);
  const auto pointer = [&](std::uint64_t at) { return static_cast<char*>(made) + at; };
  *pointer(5 * page) = 42;
  EXPECT_TRUE(
      reach(HostPages::Use::written, begin, 2000 * page));  // more than are asked for at a time
  EXPECT_EQ(*pointer(5 * page), 42);                        // what is there stays
  ::mprotect(pointer(1999 * page), page, PROT_NONE);
  ::mprotect(pointer(7 * page), page, PROT_READ);
  EXPECT_TRUE(reach(HostPages::Use::read, begin, 1999 * page));
  EXPECT_FALSE(reach(HostPages::Use::read, begin, 1999 * page + 1));
  EXPECT_TRUE(reach(HostPages::Use::written, begin, 7 * page));
  EXPECT_FALSE(reach(HostPages::Use::written, begin, 7 * page + 1));
  EXPECT_TRUE(reach(HostPages::Use::written, begin + 8 * page, 1));
  ::munmap(made, 2000 * page);
}

TEST(HostPages, NoAddressIsReached) {
  EXPECT_FALSE(reach(HostPages::Use::read, 0, 1));
  EXPECT_FALSE(reach(HostPages::Use::read, 16, 4));
  EXPECT_FALSE(
      reach(HostPages::Use::written, ~std::uint64_t{0} - 3, 8));  // beyond the last address
  EXPECT_TRUE(reach(HostPages::Use::read, 16, 0));
}

}  // namespace
}  // namespace forewarp::tests
