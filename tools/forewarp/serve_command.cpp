// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <memory>

#include "serve_asked.h"

namespace forewarp::cli {

Command serve_command(const std::function<Expected<int>(const ServeAsked&)>& serve) {
  auto asked = std::make_shared<ServeAsked>();
  Command command{"serve", "the workbench in a browser, and its JSON API"};
  Flag worker{"--worker", &asked->worker, "one of the server's own processes"};
  worker.hidden = true;
  command.flags = {{"--port", &asked->port, "default 8642; 0: any that is free"},
                   {"--listen", &asked->listen,
                    "an address other machines can reach; the token that they need is printed"},
                   {"--store", &asked->store,
                    "file that keeps results; default: forewarp/serve.db where the "
                    "user's data are"},
                   {"--workers", &asked->workers, "processes that predict; default: one per core"},
                   {"--worker-memory", &asked->memory_mb, "MiB that one of them may use (4096)"},
                   {"--unsafe-compile", &asked->unsafe_compile,
                    "compile and simulate without a sandbox where there is none"},
                   std::move(worker)};
  command.action = [asked, serve] { return serve(*asked); };
  return command;
}

}  // namespace forewarp::cli
