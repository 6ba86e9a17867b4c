// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "input/reader.h"

namespace forewarp::input {

/// Assembly for the Fermi assembler asfermi (docs/listing.md): hand-written code without addresses
/// and encodings, with directives that begin with `!`.
class AsfermiFormat : public Reader {
 public:
  [[nodiscard]] std::string_view name() const override { return "asfermi"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "assembly for Fermi, as asfermi takes it";
  }
  [[nodiscard]] bool looks_like(std::string_view head, std::string_view file_name) const override;
  Expected<std::unique_ptr<KernelStream>> read(const InputSource& source,
                                               const ReadOptions& options) const override;
};

}  // namespace forewarp::input
