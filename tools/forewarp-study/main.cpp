// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <cstdio>
#include <fcntl.h>
#include <memory>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>
#include <vector>

#include "channel.h"
#include "forewarp/program.h"
#include "store_host.h"

namespace {

using forewarp::cli::Channel;
using forewarp::cli::Message;

#ifndef FOREWARP_MPI
std::unique_ptr<Channel> open_channel() {
  return nullptr;
}
#else
std::unique_ptr<Channel> open_channel() {
  return forewarp::cli::open_mpi_channel();
}
#endif

/// One of several processes answers. What another one says is kept, so that its refusal can be
/// told.
class Silence {
 public:
  Silence() : kept_(::memfd_create("said", MFD_CLOEXEC)) {
    const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
    if (nowhere >= 0) ::dup2(nowhere, STDOUT_FILENO);
    if (kept_ >= 0) ::dup2(kept_, STDERR_FILENO);
  }

  [[nodiscard]] std::string last_line() const {
    std::fflush(stderr);
    char text[1000];
    const ssize_t size = ::pread(kept_, text, sizeof text, 0);
    std::string said(text, size > 0 ? static_cast<std::size_t>(size) : 0);
    while (!said.empty() && said.back() == '\n') said.pop_back();
    return said.substr(said.rfind('\n') + 1);
  }

 private:
  int kept_;
};

}  // namespace

int main(int argc, char** argv) {
  forewarp::cli::begin_program();
  std::unique_ptr<Channel> channel = open_channel();
  std::unique_ptr<Silence> silence;
  Channel* others = channel.get();
  if (others != nullptr && others->rank() > 0) silence = std::make_unique<Silence>();
  const std::vector<std::string> words(argv + (argc > 0 ? 1 : 0), argv + argc);
  forewarp::cli::StoreHost host(words, std::move(channel));
  const int code = forewarp::cli::run_program(host, argc, argv);
  if (silence && code != 0) others->send(0, {Message::failed, silence->last_line()});
  return code;
}
