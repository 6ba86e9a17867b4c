// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/process/sandbox.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <unistd.h>

#include "base/command.h"
#include "serve/process/frame.h"

namespace forewarp::serve {
namespace {

namespace fs = std::filesystem;

constexpr const char* nobody = "65534";

/// A path of the root that is a link into /usr stays one; others are shown as they are.
void show(std::vector<std::string>& words, const std::string& path) {
  std::error_code failure;
  if (!fs::exists(path, failure)) return;
  if (fs::is_symlink(path, failure)) {
    const std::string target = fs::read_symlink(path, failure).string();
    words.insert(words.end(), {"--symlink", target, path});
  } else {
    words.insert(words.end(), {"--ro-bind", path, path});
  }
}

}  // namespace

std::vector<std::string> library_paths() {
  return {"/lib", "/lib64", "/usr/lib64", "/usr/lib/x86_64-linux-gnu"};
}

std::vector<std::string> compiler_paths(const std::string& toolkit) {
  std::vector<std::string> paths{"/bin", "/usr/bin", "/usr/include", "/usr/lib/gcc"};
  if (!toolkit.empty() && toolkit != "/usr") paths.push_back(toolkit);
  return paths;
}

ChildOptions Sandbox::confined(ChildOptions order, const View& view) const {
  std::vector<std::string> words{program_,
                                 "--unshare-all",
                                 "--unshare-user",
                                 "--uid",
                                 nobody,
                                 "--gid",
                                 nobody,
                                 "--hostname",
                                 "forewarp",
                                 "--new-session",
                                 "--die-with-parent",
                                 "--clearenv"};
  for (const std::string& variable : view.environment) {
    const std::size_t sign = variable.find('=');
    words.insert(words.end(), {"--setenv", variable.substr(0, sign), variable.substr(sign + 1)});
  }
  words.insert(words.end(), {"--proc", "/proc", "--dev", "/dev"});
  // Before what is shown, which may lie under /tmp.
  if (view.scratch_bytes > 0) {
    words.insert(words.end(), {"--size", std::to_string(view.scratch_bytes), "--tmpfs", "/tmp"});
  }
  for (const std::string& path : view.shown) show(words, path);
  if (!view.written.empty()) words.insert(words.end(), {"--bind", view.written, view.written});
  words.insert(words.end(), {"--remount-ro", "/", "--chdir",
                             view.written.empty() ? "/tmp" : view.written, "--"});
  words.insert(words.end(), order.words.begin(), order.words.end());
  order.words = std::move(words);
  order.environment.emplace();
  order.folder.clear();
  return order;
}

Sandbox Sandbox::find() {
  Sandbox sandbox;
  sandbox.program_ = program_on_path("bwrap").string();
  if (sandbox.program_.empty()) {
    sandbox.why_not_ = "bubblewrap (bwrap) is not installed";
    return sandbox;
  }
  View view{library_paths(), {}, {}, std::uint64_t{1} << 20U};
  view.shown.insert(view.shown.end(), {"/bin", "/usr/bin"});
  ChildOptions order;
  order.words = {"/usr/bin/printf", "ok"};
  auto child = Child::start(sandbox.confined(order, view));
  std::array<char, 3> said{};
  const bool good = child && ::read(child->output(), said.data(), 2) == 2 && said[0] == 'o';
  if (!good) sandbox.why_not_ = "this system does not let a process make namespaces of its own";
  return sandbox;
}

}  // namespace forewarp::serve
