// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <memory>
#include <string_view>

#include "input/reader.h"

namespace forewarp::input {

/// Listings: text of cuobjdump -sass and of nvdisasm, or written by hand (docs/listing.md).
class SassFormat : public Reader {
 public:
  [[nodiscard]] std::string_view name() const override { return "sass"; }
  [[nodiscard]] std::string_view sentence() const override {
    return "SASS listing: text of cuobjdump -sass or nvdisasm";
  }
  [[nodiscard]] bool looks_like(std::string_view head, std::string_view file_name) const override;
  Expected<std::unique_ptr<KernelStream>> read(const InputSource& source,
                                               const ReadOptions& options) const override;
};

}  // namespace forewarp::input
