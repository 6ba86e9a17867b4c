// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/source.h"

#include <iostream>
#include <iterator>
#include <utility>

namespace forewarp::input {

Expected<InputSource> InputSource::open(const std::string& path) {
  if (path == "-") {
    std::string text{std::istreambuf_iterator<char>(std::cin), std::istreambuf_iterator<char>()};
    return of_text("<stdin>", std::move(text));
  }
  auto mapping = MappedFile::open(path);
  if (!mapping) return std::move(mapping).error();
  InputSource source;
  source.file_name_ = path;
  source.mapping_ = std::make_shared<MappedFile>(std::move(mapping).value());
  return source;
}

InputSource InputSource::of_text(std::string file_name, std::string text) {
  InputSource source;
  source.file_name_ = std::move(file_name);
  source.text_ = std::make_shared<const std::string>(std::move(text));
  return source;
}

std::string_view InputSource::bytes() const {
  if (mapping_) return mapping_->bytes();
  return text_ ? std::string_view(*text_) : std::string_view();
}

void InputSource::release_before(std::size_t offset) const {
  if (mapping_) mapping_->release_before(offset);
}

}  // namespace forewarp::input
