// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/heap.h"

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <memory>
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

namespace forewarp::base {
namespace {

// glibc: the memory of a thread comes from heaps of this size, which begin at multiples of it.
constexpr std::uintptr_t heap_bytes = std::uintptr_t{64} << 20;

constexpr std::uintptr_t large_page = std::uintptr_t{2} << 20;

void advise(std::uintptr_t begin, std::uintptr_t end) {
  madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

/// Whether room that nothing lies in yet is for free: not where the addresses are counted.
bool may_reserve() {
  constexpr rlim_t most_heaps = 16;
  return std::ranges::all_of(std::array{RLIMIT_AS, RLIMIT_DATA}, [](auto kind) {
    rlimit limit{};
    return getrlimit(kind, &limit) != 0 || limit.rlim_cur / heap_bytes >= most_heaps;
  });
}

/// Takes the room from `at` up to the first large page that nothing was written to, for good, so
/// that what comes next lies in it: the heap has written up to `touched`.
void pass_to_large_page(std::uintptr_t at, std::uintptr_t touched) {
  constexpr std::size_t heads = 4 * sizeof(std::size_t);  // of this room and of what comes behind
  const std::uintptr_t begin = (touched + heads + large_page - 1) / large_page * large_page;
  // Without volatile a compiler leaves out what nobody reads.
  static const volatile auto passed =
      reinterpret_cast<std::uintptr_t>(std::malloc(begin - at - heads));
  static_cast<void>(passed);
}

}  // namespace

void keep_freed_memory() {
  constexpr int kept_bytes = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, kept_bytes);
  mallopt(M_TRIM_THRESHOLD, kept_bytes);
  if (may_reserve()) mallopt(M_TOP_PAD, static_cast<int>(heap_bytes));
}

void use_large_pages() {
  // Larger than what the heap has left from before it was to grow by much.
  constexpr std::size_t beyond_first_heap = std::size_t{1} << 20;
  void* here = std::malloc(beyond_first_heap);
  const auto at = reinterpret_cast<std::uintptr_t>(here);
  std::free(here);
  const auto page = static_cast<std::uintptr_t>(sysconf(_SC_PAGESIZE));
  const auto end_of_first = reinterpret_cast<std::uintptr_t>(sbrk(0));
  // Right behind the begin of a page and its own size: it is no part of a heap.
  const bool alone = at % page == 2 * sizeof(std::size_t);
  if (at == 0 || alone) return;
  if (at < end_of_first) {
    pass_to_large_page(at, at + beyond_first_heap);
    advise((at + page - 1) / page * page, end_of_first);
  } else {
    const std::uintptr_t heap = at / heap_bytes * heap_bytes;
    advise(heap, heap + heap_bytes);
  }
}

}  // namespace forewarp::base
