// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "serve/work/input_store.h"

#include <algorithm>
#include <cctype>
#include <utility>

#include "base/sha256.h"
#include "input/toolkit/content_kind.h"

namespace forewarp::serve {
namespace {

constexpr std::size_t id_digits = 16, longest_name = 64;

std::string plain_name(const std::string& given) {
  std::string name;
  for (const char c : given) {
    const bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '-' ||
                       (c == '.' && !name.empty());
    if (plain && name.size() < longest_name) name += c;
  }
  return name.empty() ? "input" : name;
}

bool needs_toolkit(ContentKind kind) {
  return kind != ContentKind::other_text;
}

}  // namespace

Expected<std::shared_ptr<const StoredInput>> InputStore::put(const std::string& file_name,
                                                             std::string bytes) {
  const ContentKind kind = content_kind(bytes);
  if (kind == ContentKind::empty || kind == ContentKind::other_binary) {
    return Diagnostic{file_name.empty() ? "input" : plain_name(file_name),
                      kind == ContentKind::empty ? "is empty" : "is no GPU code",
                      "a SASS listing, .cubin, fatbin, executable, .ptx or .cu", ""};
  }
  auto made = std::make_shared<StoredInput>();
  const std::string name = plain_name(file_name);
  made->id = input::sha256_of(name + '\n' + bytes).substr(0, id_digits);
  made->name = made->id + "/" + name;
  made->compiled = needs_toolkit(kind);
  made->bytes = std::move(bytes);
  const std::lock_guard lock(mutex_);
  const auto same = std::ranges::find(inputs_, made->id, [](const auto& i) { return i->id; });
  if (same != inputs_.end()) {
    inputs_.splice(inputs_.begin(), inputs_, same);
    return inputs_.front();
  }
  bytes_ += made->bytes.size();
  inputs_.push_front(std::move(made));
  while (bytes_ > most_bytes_ && inputs_.size() > 1) {
    bytes_ -= inputs_.back()->bytes.size();
    inputs_.pop_back();
  }
  return inputs_.front();
}

std::shared_ptr<const StoredInput> InputStore::find(const std::string& id) {
  const std::lock_guard lock(mutex_);
  const auto found = std::ranges::find(inputs_, id, [](const auto& i) { return i->id; });
  if (found == inputs_.end()) return nullptr;
  inputs_.splice(inputs_.begin(), inputs_, found);
  return inputs_.front();
}

}  // namespace forewarp::serve
