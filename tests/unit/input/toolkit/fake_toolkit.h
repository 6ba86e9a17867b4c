// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/text.h"
#include "input/toolkit/temporary_folder.h"
#include "input/toolkit/toolkit.h"

namespace forewarp::tests {

/// A folder of shell scripts that act as nvcc, ptxas and cuobjdump and count their calls.
class FakeToolkit {
 public:
  FakeToolkit() : folder_(TemporaryFolder::create()) {
    std::filesystem::create_directories(bin());
    script("nvcc", R"(
      case "$*" in
        *--list-gpu-code*) echo sm_52; echo sm_80; echo sm_90; echo sm_90a; exit 0 ;;
      esac
      echo nvcc "$@" >> "$0.calls"
      for last; do :; done
      if grep -q REFUSED "$last"; then echo "$last(3): error: identifier is REFUSED" >&2; exit 2; fi
      while [ "$1" != -o ]; do shift; done
      cp "$last" "$2"
    )");
    script("ptxas", R"(
      case "$*" in *--help*) echo "'sm_52','sm_80','sm_90'"; exit 0 ;; esac
      echo ptxas "$@" >> "$0.calls"
      for last; do :; done
      while [ "$1" != -o ]; do shift; done
      cp "$last" "$2"
    )");
    script("cuobjdump", R"(
      case "$*" in *--version*) echo "tools, release 11.8, V11.8.86"; exit 0 ;; esac
      echo cuobjdump "$@" >> "$0.calls"
      echo "	code for sm_80"
      echo "		Function : _Z4fillPfi"
      echo "        /*0000*/                   EXIT ;"
    )");
    script("nvdisasm", "exit 0");
  }

  [[nodiscard]] const std::filesystem::path& folder() const { return folder_->path(); }
  [[nodiscard]] ToolkitSearch search() const { return {{{folder(), "--cuda"}}}; }
  void remove(const std::string& program) const { std::filesystem::remove(bin() / program); }

  /// The command lines that `program` was called with; questions about its version are not counted.
  [[nodiscard]] std::vector<std::string> calls(const std::string& program) const {
    std::vector<std::string> lines;
    const auto text = read_file(bin() / (program + ".calls"));
    if (!text) return lines;
    for (const auto line : split(*text, '\n')) {
      if (!line.empty()) lines.emplace_back(line);
    }
    return lines;
  }

  void script(const std::string& name, const std::string& body) const {
    const auto path = bin() / name;
    EXPECT_TRUE(write_file(path, "#!/bin/sh\n" + body));
    std::filesystem::permissions(path, std::filesystem::perms::owner_all);
  }

  std::filesystem::path file(const std::string& name, const std::string& text) const {
    const auto path = folder() / name;
    EXPECT_TRUE(write_file(path, text));
    return path;
  }

 private:
  [[nodiscard]] std::filesystem::path bin() const { return folder_->path() / "bin"; }
  Expected<TemporaryFolder> folder_;
};

}  // namespace forewarp::tests
