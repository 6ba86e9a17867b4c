// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "hand_over.h"
#include "program.h"

int main(int argc, char** argv) {
  forewarp::cli::begin_program();
  forewarp::cli::HandOver host(argv);
  return forewarp::cli::run_program(host, argc, argv);
}
