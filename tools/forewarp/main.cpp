// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <malloc.h>

#include "hand_over.h"
#include "program.h"
#include "signals.h"

int main(int argc, char** argv) {
  // An answer allocates much, again and again: what is freed is kept for what comes next.
  constexpr int kept_bytes = 1 << 30;
  mallopt(M_MMAP_THRESHOLD, kept_bytes);
  mallopt(M_TRIM_THRESHOLD, kept_bytes);
  forewarp::cli::clean_up_at_signals();
  forewarp::cli::HandOver host(argv);
  return forewarp::cli::run_program(host, argc, argv);
}
