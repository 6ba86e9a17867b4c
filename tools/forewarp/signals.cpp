// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "signals.h"

#include <csignal>
#include <thread>
#include <unistd.h>

#include "input/toolkit/temporary_folder.h"

namespace forewarp::cli {
namespace {

bool ignored(int number) {
  struct sigaction action {};
  return ::sigaction(number, nullptr, &action) == 0 && action.sa_handler == SIG_IGN;
}

/// Ends the process as the signal would have.
void wait_for(sigset_t set) {
  int number = 0;
  if (::sigwait(&set, &number) != 0) return;
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

}  // namespace forewarp::cli
