// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/heap.h"

#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <malloc.h>
#include <memory>
#include <sys/mman.h>
#include <unistd.h>

namespace forewarp::base {
namespace {

constexpr std::uintptr_t large_page = std::uintptr_t{2} << 20;
// glibc: the memory of a thread comes from heaps of this size, which begin at multiples of it.
constexpr std::uintptr_t heap_bytes = std::uintptr_t{64} << 20;

void advise(std::uintptr_t begin, std::uintptr_t end) {
  if (begin < end) madvise(reinterpret_cast<void*>(begin), end - begin, MADV_HUGEPAGE);
}

}  // namespace

void keep_freed_memory() {
  constexpr int kept_bytes = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, kept_bytes);
  mallopt(M_TRIM_THRESHOLD, kept_bytes);
  mallopt(M_TOP_PAD, static_cast<int>(heap_bytes));
}

void use_large_pages() {
  // Larger than what the heap has left from before it was to grow by much.
  constexpr std::size_t beyond_first_heap = std::size_t{1} << 20;
  const std::unique_ptr<void, decltype(&std::free)> here(std::malloc(beyond_first_heap),
                                                         &std::free);
  const auto at = reinterpret_cast<std::uintptr_t>(here.get());
  if (gettid() == getpid()) {
    const auto end = reinterpret_cast<std::uintptr_t>(sbrk(0));
    if (at < end) advise((at + large_page - 1) / large_page * large_page, end);
  } else {
    const std::uintptr_t heap = at / heap_bytes * heap_bytes;
    advise(heap, heap + heap_bytes);
  }
}

}  // namespace forewarp::base
