// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/trace_directory.h"

#include <algorithm>
#include <system_error>
#include <utility>

#include "base/file.h"

namespace forewarp::trace {
namespace {

namespace fs = std::filesystem;

constexpr const char* way_out = "name another folder with -o";

/// A name that stays inside the folder.
bool plain_name(const std::string& name) {
  return !name.empty() && name != "." && name != ".." &&
         name.find_first_of("/\\") == std::string::npos;
}

/// Removes what an earlier trace wrote; refuses a folder that holds something else.
Expected<void> clear(const fs::path& folder) {
  std::error_code code;
  const bool empty = fs::is_empty(folder, code);
  if (code) return Diagnostic{folder.string(), "cannot be read: " + code.message(), "", ""};
  if (empty) return {};
  const fs::path head = folder / TraceHeader::file_name;
  const Diagnostic refused{folder.string(), "is not empty and holds no trace",
                           "a new or empty folder, or that of an earlier trace", way_out};
  if (!fs::is_regular_file(head, code)) return refused;
  const auto text = read_file(head);
  if (!text) return text.error();
  const auto earlier = trace_header_from_json(*text, head.string());
  if (!earlier) return refused;
  for (const std::string& name : earlier->files) {
    if (plain_name(name)) fs::remove(folder / name, code);
  }
  fs::remove(head, code);
  return {};
}

}  // namespace

Expected<TraceDirectory> TraceDirectory::prepare(const fs::path& folder,
                                                 const TraceHeader& header) {
  std::error_code code;
  TraceDirectory made;
  made.path_ = folder;
  if (fs::exists(folder, code)) {
    if (!fs::is_directory(folder, code)) {
      return Diagnostic{folder.string(), "is not a folder", "a folder for the trace", way_out};
    }
    if (auto ok = clear(folder); !ok) return ok.error();
  } else {
    fs::create_directories(folder, code);
    if (code) {
      return Diagnostic{folder.string(), "cannot be made: " + code.message(), "", way_out};
    }
    made.made_ = true;
  }
  for (const std::string& name : header.files) {
    if (!fs::exists(folder / name, code)) continue;
    return Diagnostic{(folder / name).string(), "is there and belongs to no earlier trace", "",
                      way_out};
  }
  made.files_ = header.files;
  made.files_.emplace_back(TraceHeader::file_name);
  const auto written = write_file(folder / TraceHeader::file_name, to_json(header));
  if (!written) return written.error();
  return made;
}

TraceDirectory::TraceDirectory(TraceDirectory&& other) noexcept
    : path_(std::move(other.path_)),
      files_(std::exchange(other.files_, {})),
      made_(std::exchange(other.made_, false)) {}

TraceDirectory::~TraceDirectory() {
  std::error_code code;
  for (const std::string& name : files_) fs::remove(path_ / name, code);
  if (made_) fs::remove(path_, code);
}

Expected<std::uint64_t> TraceDirectory::keep(const TraceHeader& header) {
  if (auto ok = write_file(path_ / TraceHeader::file_name, to_json(header)); !ok) return ok.error();
  std::uint64_t bytes = 0;
  for (const std::string& name : std::exchange(files_, {})) {
    std::error_code code;
    const auto size = fs::file_size(path_ / name, code);
    if (!code) bytes += size;
  }
  made_ = false;
  return bytes;
}

}  // namespace forewarp::trace
