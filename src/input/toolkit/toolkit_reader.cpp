// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/toolkit_reader.h"

#include <algorithm>
#include <optional>
#include <utility>
#include <vector>

#include "base/sha256.h"
#include "input/architecture_choice.h"
#include "input/binary/binary_kernels.h"
#include "input/binary/encoding_table.h"
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

// Kernels that were read already.
class ReadKernels : public KernelStream {
 public:
  explicit ReadKernels(std::vector<Kernel> kernels) : kernels_(std::move(kernels)) {}

  Expected<std::optional<Kernel>> next() override {
    if (next_ == kernels_.size()) return std::optional<Kernel>();
    return std::optional<Kernel>(std::move(kernels_[next_++]));
  }

 private:
  std::vector<Kernel> kernels_;
  std::size_t next_ = 0;
};

std::optional<std::vector<Kernel>> all_of(const std::vector<CodePart>& parts,
                                          const InputSource& source, const KernelFilter& wanted) {
  auto kernels = kernels_of(parts, source.file_name(), wanted);
  if (!kernels) return std::nullopt;
  std::vector<Kernel> read;
  while (true) {
    auto kernel = (*kernels)->next();
    if (!kernel) return std::nullopt;
    if (!*kernel) return read;
    read.push_back(**std::move(kernel));
  }
}

// The kernels of machine code that is decoded without a toolkit; nothing where one is needed, or
// where it knows better what is wrong.
std::optional<std::vector<Kernel>> decoded_kernels(const InputSource& source,
                                                   const ReadOptions& options) {
  auto parts = code_parts(source.bytes());
  if (!parts || parts->empty()) return std::nullopt;
  AvailableCode available;
  for (const CodePart& part : *parts) {
    (part.kind == CodeKind::ptx ? available.ptx : available.machine).push_back(part.sm);
  }
  const auto wanted = options.target_sm != 0 ? std::optional(options.target_sm) : std::nullopt;
  const auto choice = choose_architecture(available, wanted, options.assume_isa);
  if (!choice || choice->compile_ptx || encoding_for(choice->sm) == nullptr) return std::nullopt;
  std::erase_if(*parts, [&](const CodePart& part) {
    return part.kind != CodeKind::machine || part.sm != choice->sm;
  });
  auto read = all_of(*parts, source, options.wanted);
  if (!read) return std::nullopt;
  for (Kernel& kernel : *read) {
    kernel.isa_assumed = wanted && !runs_on(choice->sm, *wanted);
    if (!choice->assumption.empty()) kernel.assumptions.push_back(choice->assumption);
  }
  return read;
}

// An instruction that our tables do not have is one that a disassembler may know.
bool all_known(const std::vector<Kernel>& kernels) {
  return std::ranges::all_of(kernels, [](const Kernel& kernel) {
    return kernel.unknown_opcodes == 0 &&
           std::ranges::all_of(kernel.instructions, &Instruction::decoded);
  });
}

bool is_machine_code(ContentKind kind) {
  return kind == ContentKind::cubin || kind == ContentKind::fat_binary ||
         kind == ContentKind::host_binary || kind == ContentKind::library;
}

using KeptListing = Expected<std::shared_ptr<const ToolkitListing>>;

// A disassembler takes a minute for a large module: kernels of it are asked for one by one.
KeptListing kept_listing(const ToolkitInput& input, const ReadOptions& options) {
  const auto make = [&]() -> KeptListing {
    auto made = listing_of(input, ToolkitSearch::from_environment(options.toolkit),
                           options.cache ? kept_listings() : DiskCache({}, ".sass", 0));
    if (!made) return std::move(made).error();
    return std::make_shared<const ToolkitListing>(*std::move(made));
  };
  if (!options.listings || !is_machine_code(input.kind)) return make();
  const std::string key = sha256_of(input.bytes) + ' ' + std::to_string(input.sm.value_or(0)) +
                          (input.assume_isa ? "*" : " ") + options.toolkit;
  return options.listings->get<ToolkitListing>("listing", key, make);
}

}  // namespace

bool ToolkitReader::looks_like(std::string_view head, std::string_view /*file_name*/) const {
  return content_kind(head) == kind_;
}

Expected<std::unique_ptr<KernelStream>> ToolkitReader::read(const InputSource& source,
                                                            const ReadOptions& options) const {
  std::optional<std::vector<Kernel>> decoded;
  if (is_machine_code(kind_)) decoded = decoded_kernels(source, options);
  const auto as_decoded = [&]() -> std::unique_ptr<KernelStream> {
    return std::make_unique<ReadKernels>(*std::move(decoded));
  };
  if (decoded && all_known(*decoded)) return as_decoded();
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
  const auto listing = kept_listing(input, options);
  if (!listing && decoded) return as_decoded();
  if (!listing) return listing.error();
  std::unique_ptr<KernelStream> stream = std::make_unique<MadeListing>(source, **listing);
  return stream;
}

}  // namespace forewarp::input
