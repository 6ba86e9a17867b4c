// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "serve.h"

#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <thread>
#include <unistd.h>
#include <utility>

#include "base/own_file.h"
#include "base/parts.h"
#include "embedded/openapi.h"
#include "examples.h"
#include "forewarp/gpu_show.h"
#include "input/toolkit/toolkit.h"
#include "page_files.h"
#include "serve/api/api.h"
#include "serve/api/page_routes.h"
#include "serve/http/server.h"
#include "serve/work/answerer.h"

namespace forewarp::cli {
namespace {

namespace fs = std::filesystem;

constexpr std::size_t most_body = std::size_t{16} << 20U;
constexpr std::size_t shelf_bytes = std::size_t{64} << 20U;
constexpr std::uint64_t mebibyte = std::uint64_t{1} << 20U;
constexpr std::uint64_t scratch = 512 * mebibyte, largest_file = 256 * mebibyte;

Expected<int> be_worker() {
  auto database = HardwareDatabase::locate();
  if (!database) return database.error();
  Answerer answerer(*std::move(database));
  work(answerer, STDIN_FILENO, STDOUT_FILENO);
  return 0;
}

/// $XDG_DATA_HOME/forewarp/serve.db or ~/.local/share/forewarp/serve.db.
Expected<std::string> store_file(const std::string& asked) {
  if (!asked.empty()) return asked;
  const char* data = std::getenv("XDG_DATA_HOME");
  const char* home = std::getenv("HOME");
  if (data == nullptr && home == nullptr) {
    return Diagnostic{"--store", "neither XDG_DATA_HOME nor HOME says where", "a file", ""};
  }
  const fs::path folder =
      (data != nullptr ? fs::path(data) : fs::path(home) / ".local/share") / "forewarp";
  std::error_code failure;
  fs::create_directories(folder, failure);
  if (failure) return Diagnostic{folder.string(), failure.message(), "a folder to write to", ""};
  return (folder / "serve.db").string();
}

std::string new_token() {
  constexpr std::string_view digits = "0123456789abcdef";
  constexpr int length = 32;
  std::random_device chance;
  std::string token;
  for (int i = 0; i < length; ++i) token += digits[chance() % digits.size()];
  return token;
}

/// The toolkit that compiles sources; empty: there is none.
std::string toolkit_folder() {
  const auto found = find_toolkit(ToolkitSearch::from_environment(""), {true, true, true});
  if (!found) return "";
  const fs::path bin = found->nvcc.parent_path();
  return bin.filename() == "bin" ? bin.parent_path().string() : bin.string();
}

View view_of(const HardwareDatabase& database, const std::string& program) {
  View view;
  view.shown = library_paths();
  view.shown.push_back(program);
  view.shown.push_back(database.directory().string());
  view.environment = {"FOREWARP_DATA=" + database.directory().string(), "PATH=/usr/bin",
                      "LC_ALL=C.UTF-8", "TMPDIR=/tmp"};
  view.scratch_bytes = scratch;
  return view;
}

WorkerPoolOptions crew_order(const ServeAsked& asked, const HardwareDatabase& database,
                             const Sandbox& sandbox) {
  WorkerPoolOptions order;
  const std::string program = own_file().string();
  order.worker.words = {program, "serve", "--worker"};
  order.worker.most_memory = asked.memory_mb * mebibyte;
  order.worker.most_file = largest_file;
  order.worker.folder = "/";
  order.plain = view_of(database, program);
  order.compiling = order.plain;
  order.confine = sandbox.works();
  const unsigned cores = std::max(1U, std::thread::hardware_concurrency());
  order.urgent = asked.workers > 0 ? asked.workers : cores;
  const std::string toolkit = toolkit_folder();
  if (toolkit.empty()) {
    order.why_not_compile = "needs a CUDA toolkit, and none was found when the server started";
  } else if (!sandbox.works() && !asked.unsafe_compile) {
    order.why_not_compile =
        "is not compiled: " + sandbox.why_not() + "; --unsafe-compile compiles without a sandbox";
  }
  order.compile = order.why_not_compile.empty();
  for (const std::string& path : compiler_paths(toolkit)) order.compiling.shown.push_back(path);
  order.compiling.environment.push_back("CUDA_HOME=" + toolkit);
  return order;
}

std::string why_not_simulate(const ServeAsked& asked, const Sandbox& sandbox,
                             const fs::path& program) {
  if (!fs::exists(program)) return std::string("forewarp-system was not built: ") + build_all_parts;
  if (sandbox.works() || asked.unsafe_compile) return "";
  return sandbox.why_not() + "; --unsafe-compile simulates without a sandbox";
}

/// Signals that end the server are taken by one thread, so that what runs is ended in order.
sigset_t ending_signals() {
  sigset_t signals;
  ::sigemptyset(&signals);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) ::sigaddset(&signals, signal);
  return signals;
}

void say_where(const ServeAsked& asked, int port, const std::string& token) {
  const std::string host = asked.listen.empty() ? "127.0.0.1" : asked.listen;
  const std::string place = "http://" + host + ":" + std::to_string(port) + "/";
  std::printf("%s%s%s\n", place.c_str(), token.empty() ? "" : "#token=", token.c_str());
  std::fflush(stdout);
}

Expected<int> serve_with(const ServeAsked& asked, const HardwareDatabase& database,
                         const std::string& store) {
  const sigset_t signals = ending_signals();
  ::pthread_sigmask(SIG_BLOCK, &signals, nullptr);
  ::signal(SIGPIPE, SIG_IGN);
  const Sandbox sandbox = Sandbox::find();
  const WorkerPoolOptions order = crew_order(asked, database, sandbox);
  const fs::path system = own_file().parent_path() / "forewarp-system";
  ChildOptions simulate;
  simulate.words = {system.string()};
  simulate.most_memory = asked.memory_mb * mebibyte;
  simulate.most_file = largest_file;
  simulate.most_seconds = 300;
  simulate.errors = ChildOptions::Errors::with_output;
  const fs::path study = system.parent_path() / "forewarp-study";
  View view = view_of(database, system.string());
  if (fs::exists(study)) view.shown.push_back(study.string());
  Simulations simulations(simulate, study.string(), view, sandbox, sandbox.works());
  WorkerPool pool(order, sandbox);
  InputStore inputs(shelf_bytes);
  JobBoard jobs(JobKeeper(store), {});
  const ApiParts parts{database,
                       pool,
                       inputs,
                       jobs,
                       simulations,
                       store,
                       examples_of(database.directory().parent_path() / "examples"),
                       gpu_as_json,
                       embedded::openapi,
                       FOREWARP_VERSION,
                       order.why_not_compile,
                       why_not_simulate(asked, sandbox, system)};
  Router router;
  add_api(router, parts);
  add_page(router, page_files());
  GuardRules rules;
  rules.port = static_cast<int>(asked.port);
  rules.most_body = most_body;
  if (!asked.listen.empty()) {
    rules.host = asked.listen;
    rules.token = new_token();
  }
  HttpServer server(rules,
                    [&router](const HttpRequest& request) { return router.answer(request); });
  const auto port = server.bind();
  if (!port) return port.error();
  say_where(asked, *port, rules.token);
  std::thread running([&server] { server.run(); });
  int signal = 0;
  ::sigwait(&signals, &signal);
  server.stop();
  running.join();
  return 0;
}

}  // namespace

Expected<int> serve_asked(const ServeAsked& asked) {
  if (asked.worker) return be_worker();
  if (asked.port > 65535) return Diagnostic{"--port", "is no port", "0 to 65535", ""};
  auto database = HardwareDatabase::locate();
  if (!database) return database.error();
  const auto store = store_file(asked.store);
  if (!store) return store.error();
  return serve_with(asked, *database, *store);
}

}  // namespace forewarp::cli
