// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "input/reader.h"
#include "input/toolkit/content_kind.h"

namespace forewarp::input {

/// Inputs of one kind. Machine code of an architecture whose encoding is known is decoded; of the
/// rest a CUDA toolkit makes a listing, which is then read as any other.
/// ReadOptions gives the toolkit's place and the architecture asked for.
class ToolkitReader : public Reader {
 public:
  ToolkitReader(ContentKind kind, std::string_view name, std::string_view sentence)
      : kind_(kind), name_(name), sentence_(sentence) {}

  [[nodiscard]] std::string_view name() const override { return name_; }
  [[nodiscard]] std::string_view sentence() const override { return sentence_; }
  [[nodiscard]] bool looks_like(std::string_view head, std::string_view file_name) const override;
  Expected<std::unique_ptr<KernelStream>> read(const InputSource& source,
                                               const ReadOptions& options) const override;

 private:
  ContentKind kind_;
  std::string_view name_, sentence_;
};

}  // namespace forewarp::input
