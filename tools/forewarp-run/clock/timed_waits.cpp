// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Waits until a moment, which programs compute from their own clocks and the system compares with
// its own: the moment is moved back. A wait that ended too early, as the program's clocks were set
// back meanwhile, goes on.
#include <cerrno>
#include <cstdint>
#include <ctime>
#include <pthread.h>
#include <semaphore.h>

#include "next_function.h"
#include "program_time.h"

namespace {

using forewarp_clock::billion;
using forewarp_clock::next;
using forewarp_clock::offset;

/// By the system's clocks.
timespec moved(timespec moment, std::int64_t by) {
  if (moment.tv_nsec < 0 || moment.tv_nsec >= billion) return moment;  // the system refuses it
  if (__builtin_sub_overflow(moment.tv_sec, by / billion, &moment.tv_sec)) return moment;
  moment.tv_nsec -= by % billion;
  if (moment.tv_nsec < 0) {
    moment.tv_nsec += billion;
    --moment.tv_sec;
  } else if (moment.tv_nsec >= billion) {
    moment.tv_nsec -= billion;
    ++moment.tv_sec;
  }
  return moment.tv_sec < 0 ? timespec{} : moment;
}

/// `wait(moment)`: returns a code; it is repeated while that is `over` and the moment still to
/// come.
template <class Wait>
int wait_until(const timespec& moment, int over, Wait wait) {
  while (true) {
    const std::int64_t by = offset();
    const timespec at = moved(moment, by);
    const int code = wait(&at);
    if (code != over || offset() >= by) return code;
  }
}

/// A condition's wait is not repeated: it may have been signalled meanwhile. It may end for no
/// reason, `woken`, upon which the program looks and waits again.
template <class Code, class Wait>
Code wait_for_condition(const timespec& moment, Code over, Code woken, Wait wait) {
  const std::int64_t by = offset();
  const timespec at = moved(moment, by);
  const Code code = wait(&at);
  return code == over && offset() < by ? woken : code;
}

/// The code of a function that returns -1 and sets errno.
int code_of(int result) {
  return result == 0 ? 0 : errno;
}
int result_of(int code) {
  if (code == 0) return 0;
  errno = code;
  return -1;
}

}  // namespace

FOREWARP_EXPORT int pthread_cond_timedwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                           const timespec* moment) {
  return wait_for_condition(*moment, ETIMEDOUT, 0, [&](const timespec* at) {
    return NEXT(pthread_cond_timedwait, "GLIBC_2.3.2")(condition, mutex, at);
  });
}
FOREWARP_EXPORT int pthread_cond_clockwait(pthread_cond_t* condition, pthread_mutex_t* mutex,
                                           clockid_t clock, const timespec* moment) {
  return wait_for_condition(*moment, ETIMEDOUT, 0, [&](const timespec* at) {
    return NEXT(pthread_cond_clockwait)(condition, mutex, clock, at);
  });
}
FOREWARP_EXPORT int pthread_mutex_timedlock(pthread_mutex_t* mutex,
                                            const timespec* moment) noexcept {
  return wait_until(*moment, ETIMEDOUT,
                    [&](const timespec* at) { return NEXT(pthread_mutex_timedlock)(mutex, at); });
}
FOREWARP_EXPORT int pthread_mutex_clocklock(pthread_mutex_t* mutex, clockid_t clock,
                                            const timespec* moment) noexcept {
  return wait_until(*moment, ETIMEDOUT, [&](const timespec* at) {
    return NEXT(pthread_mutex_clocklock)(mutex, clock, at);
  });
}
FOREWARP_EXPORT int pthread_rwlock_timedrdlock(pthread_rwlock_t* lock,
                                               const timespec* moment) noexcept {
  return wait_until(*moment, ETIMEDOUT,
                    [&](const timespec* at) { return NEXT(pthread_rwlock_timedrdlock)(lock, at); });
}
FOREWARP_EXPORT int pthread_rwlock_timedwrlock(pthread_rwlock_t* lock,
                                               const timespec* moment) noexcept {
  return wait_until(*moment, ETIMEDOUT,
                    [&](const timespec* at) { return NEXT(pthread_rwlock_timedwrlock)(lock, at); });
}
FOREWARP_EXPORT int pthread_rwlock_clockrdlock(pthread_rwlock_t* lock, clockid_t clock,
                                               const timespec* moment) noexcept {
  return wait_until(*moment, ETIMEDOUT, [&](const timespec* at) {
    return NEXT(pthread_rwlock_clockrdlock)(lock, clock, at);
  });
}
FOREWARP_EXPORT int pthread_rwlock_clockwrlock(pthread_rwlock_t* lock, clockid_t clock,
                                               const timespec* moment) noexcept {
  return wait_until(*moment, ETIMEDOUT, [&](const timespec* at) {
    return NEXT(pthread_rwlock_clockwrlock)(lock, clock, at);
  });
}
FOREWARP_EXPORT int pthread_timedjoin_np(pthread_t thread, void** value, const timespec* moment) {
  const auto join = [&](const timespec* at) {
    return NEXT(pthread_timedjoin_np)(thread, value, at);
  };
  const int code = moment == nullptr ? join(nullptr) : wait_until(*moment, ETIMEDOUT, join);
  if (code == 0) forewarp_clock::meet();
  return code;
}
FOREWARP_EXPORT int sem_timedwait(sem_t* semaphore, const timespec* moment) {
  return result_of(wait_until(*moment, ETIMEDOUT, [&](const timespec* at) {
    return code_of(NEXT(sem_timedwait)(semaphore, at));
  }));
}
FOREWARP_EXPORT int sem_clockwait(sem_t* semaphore, clockid_t clock, const timespec* moment) {
  return result_of(wait_until(*moment, ETIMEDOUT, [&](const timespec* at) {
    return code_of(NEXT(sem_clockwait)(semaphore, clock, at));
  }));
}
FOREWARP_EXPORT int clock_nanosleep(clockid_t clock, int flags, const timespec* moment,
                                    timespec* left) {
  if ((flags & TIMER_ABSTIME) == 0 || !forewarp_clock::follows(clock))
    return NEXT(clock_nanosleep)(clock, flags, moment, left);
  return wait_until(*moment, 0, [&](const timespec* at) {
    return NEXT(clock_nanosleep)(clock, flags, at, left);
  });
}

// What std::future waits with, in libstdc++: the system is asked by number, and no function of its
// is called.
#define FUTEX_WAIT(function)                     \
  "_ZNSt28__atomic_futex_unsigned_base" function \
  "EPjjbNSt6chrono8durationIlSt5ratioILl1ELl1EEEENS2_IlS3_ILl1ELl1000000000EEEE"
FOREWARP_EXPORT bool forewarp_futex_wait(void* self, unsigned* at, unsigned value, bool timed,
                                         std::int64_t s,
                                         std::int64_t ns) asm(FUTEX_WAIT("19_M_futex_wait_until"));
FOREWARP_EXPORT bool forewarp_futex_wait_steady(
    void* self, unsigned* at, unsigned value, bool timed, std::int64_t s,
    std::int64_t ns) asm(FUTEX_WAIT("26_M_futex_wait_until_steady"));

bool forewarp_futex_wait(void* self, unsigned* at, unsigned value, bool timed, std::int64_t s,
                         std::int64_t ns) {
  return wait_for_condition({s, ns}, false, true, [&](const timespec* moment) {
    return next<&forewarp_futex_wait>(FUTEX_WAIT("19_M_futex_wait_until"))(
        self, at, value, timed, moment->tv_sec, moment->tv_nsec);
  });
}
bool forewarp_futex_wait_steady(void* self, unsigned* at, unsigned value, bool timed,
                                std::int64_t s, std::int64_t ns) {
  return wait_for_condition({s, ns}, false, true, [&](const timespec* moment) {
    return next<&forewarp_futex_wait_steady>(FUTEX_WAIT("26_M_futex_wait_until_steady"))(
        self, at, value, timed, moment->tv_sec, moment->tv_nsec);
  });
}
