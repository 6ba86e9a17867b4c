// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "signals.h"

#include <atomic>
#include <csignal>
#include <thread>
#include <unistd.h>

#include "input/toolkit/temporary_folder.h"

namespace forewarp::cli {
namespace {

std::atomic<bool> interrupt_stops = false;
std::atomic<bool> termination_stops = false;
std::atomic<bool> was_interrupted = false;

bool ignored(int number) {
  struct sigaction action {};
  return ::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

bool only_stops(int number) {
  return (number == SIGINT && interrupt_stops) || (number == SIGTERM && termination_stops);
}

/// Ends the process as the signal would have.
void wait_for(sigset_t set) {
  int number = 0;
  do {
    if (::sigwait(&set, &number) != 0) return;
  } while (only_stops(number) && !was_interrupted.exchange(true));
  input::TemporaryFolder::remove_own();
  static_cast<void>(std::signal(number, SIG_DFL));
  ::pthread_sigmask(SIG_UNBLOCK, &set, nullptr);
  ::kill(::getpid(), number);
  ::_exit(128 + number);  // the first process of a container does not end by a signal
}

}  // namespace

void clean_up_at_signals() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int number : {SIGINT, SIGTERM, SIGHUP}) {
    if (!ignored(number)) ::sigaddset(&set, number);
  }
  if (::pthread_sigmask(SIG_BLOCK, &set, nullptr) == 0) std::thread(wait_for, set).detach();
}

void stop_at_interrupt() {
  interrupt_stops = true;
}

void stop_at_termination() {
  termination_stops = true;
}

bool interrupted() {
  return was_interrupted;
}

}  // namespace forewarp::cli
