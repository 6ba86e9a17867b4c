// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Where threads of the program begin, and where they meet: from there on each is as far as those it
// met. Waits that are not here are seen by what the system counts.
#include <cerrno>
#include <cstdint>
#include <new>
#include <pthread.h>

#include "next_function.h"
#include "program_time.h"

// Of GCC's library for OpenMP.
extern "C" void GOMP_parallel(void (*work)(void*), void* data, unsigned threads, unsigned flags);
extern "C" void GOMP_barrier();

namespace {

/// A library that was loaded late brings a library for OpenMP of its own, which only it sees.
template <class Function>
Function* of_caller(const char* name, const void* caller) {
  Dl_info from{};
  if (::dladdr(caller, &from) == 0) return nullptr;
  void* const library = ::dlopen(from.dli_fname, RTLD_LAZY | RTLD_NOLOAD);
  if (library == nullptr) return nullptr;
  void* const found = ::dlsym(library, name);
  ::dlclose(library);
  return reinterpret_cast<Function*>(found);  // NOLINT
}

struct Beginning {
  void* (*work)(void*);
  void* data;
  std::int64_t lead;
};

void* begin_thread(void* given) {
  const Beginning own = *static_cast<Beginning*>(given);
  delete static_cast<Beginning*>(given);
  forewarp_clock::begin(own.lead);
  return own.work(own.data);
}

/// Threads of a team that was there before begin anew.
struct Region {
  void (*work)(void*);
  void* data;
  std::int64_t lead;
};

void enter_region(void* given) {
  const Region& own = *static_cast<const Region*>(given);
  forewarp_clock::begin(own.lead);
  own.work(own.data);
}

}  // namespace

FOREWARP_EXPORT int pthread_create(pthread_t* thread, const pthread_attr_t* attributes,
                                   void* (*work)(void*), void* data) noexcept {
  const std::int64_t lead = forewarp_clock::lead_of_created();
  if (lead < 0) return NEXT(pthread_create)(thread, attributes, work, data);
  auto* const beginning = new (std::nothrow) Beginning{work, data, lead};
  if (beginning == nullptr) return EAGAIN;
  const int code = NEXT(pthread_create)(thread, attributes, begin_thread, beginning);
  if (code != 0) delete beginning;
  return code;
}
FOREWARP_EXPORT int pthread_join(pthread_t thread, void** value) {
  const int code = NEXT(pthread_join)(thread, value);
  forewarp_clock::meet();
  return code;
}
FOREWARP_EXPORT int pthread_tryjoin_np(pthread_t thread, void** value) noexcept {
  const int code = NEXT(pthread_tryjoin_np)(thread, value);
  if (code == 0) forewarp_clock::meet();
  return code;
}
FOREWARP_EXPORT int pthread_barrier_wait(pthread_barrier_t* barrier) noexcept {
  const int code = NEXT(pthread_barrier_wait)(barrier);
  forewarp_clock::meet();
  return code;
}
FOREWARP_EXPORT void GOMP_parallel(void (*work)(void*), void* data, unsigned threads,
                                   unsigned flags) {
  auto* next = NEXT(GOMP_parallel);
  if (next == nullptr)
    next = of_caller<decltype(GOMP_parallel)>("GOMP_parallel", __builtin_return_address(0));
  Region region{work, data, forewarp_clock::lead_of_created()};
  if (next == nullptr) {
    work(data);  // as one thread
  } else if (region.lead < 0) {
    next(work, data, threads, flags);
  } else {
    next(enter_region, &region, threads, flags);
  }
  forewarp_clock::meet();
}
FOREWARP_EXPORT void GOMP_barrier() {
  auto* next = NEXT(GOMP_barrier);
  if (next == nullptr)
    next = of_caller<decltype(GOMP_barrier)>("GOMP_barrier", __builtin_return_address(0));
  if (next != nullptr) next();
  forewarp_clock::meet();
}
