// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "termination.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <pthread.h>
#include <semaphore.h>
#include <time.h>

namespace forewarp::cli {
namespace {

sem_t termination_asked;
std::atomic<bool> is_asked = false;
void (*leave_behind)() = nullptr;

void ask_for_termination(int /*signal*/) {
  const int kept = errno;
  is_asked = true;
  ::sem_post(&termination_asked);
  errno = kept;
}

/// A handler must not flush: the signal may have come while a stream is written.
void* end_as_asked(void* /*none*/) {
  while (::sem_wait(&termination_asked) != 0) {
  }
  std::fflush(nullptr);
  leave_behind();
  // Now it ends as it would have done.
  std::signal(SIGTERM, SIG_DFL);
  sigset_t one;
  sigemptyset(&one);
  sigaddset(&one, SIGTERM);
  ::pthread_sigmask(SIG_UNBLOCK, &one, nullptr);
  std::raise(SIGTERM);
  return nullptr;
}

bool start_thread() {
  // It takes none of the program's signals.
  sigset_t all, before;
  sigfillset(&all);
  ::pthread_sigmask(SIG_SETMASK, &all, &before);
  pthread_t made{};
  const bool started = ::pthread_create(&made, nullptr, end_as_asked, nullptr) == 0;
  if (started) ::pthread_detach(made);
  ::pthread_sigmask(SIG_SETMASK, &before, nullptr);
  return started;
}

}  // namespace

void prepare_for_termination(void (*leave)()) {
  struct sigaction now {};
  ::sigaction(SIGTERM, nullptr, &now);
  if (now.sa_handler != SIG_DFL) return;
  leave_behind = leave;
  ::sem_init(&termination_asked, 0, 0);
  if (!start_thread()) return;
  struct sigaction ours {};
  ours.sa_handler = ask_for_termination;
  ours.sa_flags = SA_RESTART | SA_ONSTACK;
  ::sigaction(SIGTERM, &ours, nullptr);
}

void await_termination() {
  constexpr timespec pause{0, 10'000'000};
  for (int tries = 200; is_asked && tries > 0; --tries) ::nanosleep(&pause, nullptr);
}

void forget_termination() {
  is_asked = false;
  struct sigaction now {};
  ::sigaction(SIGTERM, nullptr, &now);
  if (now.sa_handler == ask_for_termination) std::signal(SIGTERM, SIG_DFL);
}

}  // namespace forewarp::cli
