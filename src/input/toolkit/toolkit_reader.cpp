// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/toolkit_reader.h"

#include <optional>
#include <utility>

#include "input/sass/sass_reader.h"
#include "input/toolkit/toolkit_listing.h"

namespace forewarp::input {
namespace {

// Kernels of a listing made by a toolkit, with the assumptions of making it.
class MadeListing : public KernelStream {
 public:
  MadeListing(const InputSource& source, ToolkitListing listing)
      : reader_(InputSource::of_text(source.file_name() + " as listed", std::move(listing.text))),
        isa_assumed_(listing.isa_assumed),
        assumptions_(std::move(listing.assumptions)) {}

  Expected<std::optional<Kernel>> next() override {
    auto kernel = reader_.next();
    if (kernel && *kernel) {
      (*kernel)->isa_assumed = isa_assumed_;
      (*kernel)->assumptions = assumptions_;
    }
    return kernel;
  }

 private:
  SassReader reader_;
  bool isa_assumed_;
  std::vector<std::string> assumptions_;
};

}  // namespace

bool ToolkitReader::looks_like(std::string_view head, std::string_view /*file_name*/) const {
  return content_kind(head) == kind_;
}

Expected<std::unique_ptr<KernelStream>> ToolkitReader::read(const InputSource& source,
                                                            const ReadOptions& options) const {
  ToolkitInput input;
  input.kind = kind_;
  input.bytes = source.bytes();
  std::error_code ignored;
  if (std::filesystem::exists(source.file_name(), ignored)) {
    input.path = source.file_name();
  } else if (source.file_name() != "<stdin>") {
    input.shown_as = source.file_name();
  }
  if (options.target_sm != 0) input.sm = options.target_sm;
  input.assume_isa = options.assume_isa;
  input.compile_options = options.compile_options;
  auto listing = listing_of(input, ToolkitSearch::from_environment(options.toolkit),
                            options.cache ? kept_listings() : DiskCache({}, ".sass", 0));
  if (!listing) return std::move(listing).error();
  std::unique_ptr<KernelStream> stream = std::make_unique<MadeListing>(source, std::move(*listing));
  return stream;
}

}  // namespace forewarp::input
