// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/binary/binary_kernels.h"

#include <array>
#include <cstdio>
#include <map>
#include <optional>
#include <span>
#include <utility>

#include "input/binary/byte_fields.h"
#include "input/binary/cubin.h"
#include "input/binary/cubin_linking.h"
#include "input/binary/encoding_table.h"
#include "input/binary/instruction_decoder.h"
#include "input/binary/line_table.h"
#include "input/sass/kernel_builder.h"
#include "input/sass/kernel_completion.h"

namespace forewarp::input {
namespace {

constexpr std::size_t word_bytes = 8;
constexpr std::size_t shortest_code = 2 * word_bytes;  // one instruction with its control bits

void add_facts(const CubinKernel& kernel, KernelFacts& facts) {
  Resources& resources = facts.resources;
  resources.registers = kernel.registers;
  resources.registers_source = FactSource::stated;
  resources.local_bytes = kernel.frame_bytes;
  resources.constant_bytes = kernel.bank0_bytes;
  resources.barriers = kernel.barriers;
  resources.most_threads = kernel.most_threads;
  resources.required_block = kernel.required_block;
  resources.cluster = kernel.cluster;
  facts.counted_shared = kernel.shared_bytes;
  facts.parameter_base = kernel.parameter_base;
  facts.parameter_bytes = kernel.parameter_bytes;
  for (const auto& [ordinal, place] : kernel.parameters) {
    facts.places[ordinal] = {place.offset, place.size};
  }
}

bool of_the_module(std::string_view section) {
  constexpr std::string_view bank = ".nv.constant";
  return !section.starts_with(bank) || section.find('.', bank.size()) == section.npos;
}

void add_module(const Cubin& cubin, ModuleFacts& facts) {
  for (const CubinKernel& kernel : cubin.kernels) {
    facts.sizes[".text." + std::string(kernel.name)] = kernel.code.size();
  }
  for (const CubinData& data : cubin.data) {
    facts.sizes[std::string(data.section)] = data.size;
    if (data.bytes.empty()) continue;
    facts.contents[std::string(data.section)].assign(data.bytes.begin(), data.bytes.end());
  }
  for (const CubinSymbol& symbol : cubin.symbols) {
    const std::string section(symbol.section);
    if (!facts.sizes.contains(section) || !of_the_module(section)) continue;
    facts.symbols.push_back({std::string(symbol.name), section, symbol.offset, symbol.size});
  }
  for (const CubinRelocation& row : cubin.relocations) {
    facts.relocations[std::string(row.section)].push_back(
        {row.offset, std::string(row.symbol), row.part, row.addend.value_or(0), !row.addend});
  }
}

// The code of one function, instruction by instruction.
class CodeReader {
 public:
  CodeReader(const EncodingTable& table, const CubinKernel& kernel, std::uint32_t sm,
             std::span<const LineRow> lines)
      : table_(table), code_(kernel.code), lines_(lines), builder_(std::string(kernel.name), sm) {}

  Kernel read() {
    table_.wide ? read_wide() : read_bundles();
    return builder_.finish();
  }

 private:
  [[nodiscard]] std::uint64_t word_at(std::size_t at) const {
    return field<std::uint64_t>(code_, at);
  }

  bool add(const InstructionWord& word, std::size_t at) {
    for (; !lines_.empty() && lines_.front().address <= at; lines_ = lines_.subspan(1)) {
      builder_.set_source(lines_.front().file, lines_.front().line);
    }
    text_.clear();
    const auto address = static_cast<std::uint32_t>(at);
    if (!append_instruction(table_, word, address, text_)) return false;
    return builder_.add({address, text_, word.low, false}, ++number_).expected == nullptr;
  }

  void read_wide() {
    for (std::size_t at = 0; at + 2 * word_bytes <= code_.size(); at += 2 * word_bytes) {
      const InstructionWord word{word_at(at), word_at(at + word_bytes)};
      if (!add(word, at)) builder_.add_word(word.low, ++number_);
      builder_.add_word(word.high, number_);
    }
  }

  // Three instructions follow a word with the control bits of each.
  void read_bundles() {
    constexpr std::size_t in_bundle = 3, control_bits = 21;
    for (std::size_t at = 0; at + word_bytes <= code_.size(); at += word_bytes) {
      const std::size_t slot = at / word_bytes % (in_bundle + 1);
      if (slot == 0) {
        control_ = word_at(at);
        builder_.add_word(control_, ++number_);
        continue;
      }
      const InstructionWord word{word_at(at), control_ >> (control_bits * (slot - 1)) & 0x1fffffU};
      if (add(word, at)) continue;
      constexpr std::uint32_t opcode_shift = 48;
      std::array<char, 32> name{};
      std::snprintf(name.data(), name.size(), "UNKNOWN_%04x",
                    static_cast<unsigned>(word.low >> opcode_shift));
      (void)builder_.add({static_cast<std::uint32_t>(at), name.data(), word.low, false}, number_);
    }
  }

  const EncodingTable& table_;
  std::string_view code_;
  std::span<const LineRow> lines_;  ///< that have not begun yet
  KernelBuilder builder_;
  std::string text_;
  std::uint64_t control_ = 0;
  std::uint32_t number_ = 0;
};

class BinaryKernels : public KernelStream {
 public:
  BinaryKernels(std::vector<CodePart> parts, std::string file_name, KernelFilter wanted)
      : parts_(std::move(parts)), file_name_(std::move(file_name)), wanted_(std::move(wanted)) {}

  Expected<std::optional<Kernel>> next() override {
    for (;;) {
      if (cubin_ && next_kernel_ < cubin_->kernels.size()) {
        const CubinKernel& kernel = cubin_->kernels[next_kernel_++];
        if (kernel.code.size() < shortest_code) continue;
        std::string name(kernel.name);
        if (++number_; wanted_ && !wanted_(number_, name)) return as_name(std::move(name));
        return std::optional<Kernel>(read(kernel));
      }
      cubin_.reset();
      if (next_part_ == parts_.size()) return std::optional<Kernel>();
      if (auto fault = open(parts_[next_part_++])) {
        next_part_ = parts_.size();
        return *std::move(fault);
      }
    }
  }

 private:
  std::optional<Diagnostic> open(const CodePart& part) {
    if (part.compression == Compression::none) {
      bytes_ = part.stored;
    } else {
      auto plain = payload_of(part);
      if (!plain) return at_file(std::move(plain).error());
      plain_ = std::move(*plain);
      bytes_ = plain_;
    }
    linked_ = link_cubin(bytes_);
    if (!linked_.empty()) bytes_ = linked_;
    auto cubin = read_cubin(bytes_);
    if (!cubin) return at_file(std::move(cubin).error());
    table_ = encoding_for(cubin->sm);
    if (table_ == nullptr) {
      return at_file({"", "code of sm_" + std::to_string(cubin->sm), "an encoding that is known",
                      "give its listing, as cuobjdump -sass prints it"});
    }
    cubin_ = std::move(*cubin);
    next_kernel_ = 0;
    lines_ = line_table(bytes_);
    facts_ = {};
    add_module(*cubin_, facts_.modules().begin(cubin_->sm, true));
    for (const CubinKernel& kernel : cubin_->kernels) {
      add_facts(kernel, facts_.of(cubin_->sm, kernel.name));
    }
    return {};
  }

  [[nodiscard]] std::optional<Kernel> as_name(std::string mangled) const {
    Kernel kernel;
    kernel.mangled = std::move(mangled);
    kernel.sm = cubin_->sm;
    return kernel;
  }

  Kernel read(const CubinKernel& code) {
    const auto rows = lines_.find(code.name);
    const std::span<const LineRow> lines =
        rows == lines_.end() ? std::span<const LineRow>() : std::span(rows->second);
    Kernel kernel = CodeReader(*table_, code, cubin_->sm, lines).read();
    complete_kernel(kernel, facts_);
    return kernel;
  }

  [[nodiscard]] Diagnostic at_file(Diagnostic failure) const {
    if (failure.place.empty()) failure.place = file_name_;
    return failure;
  }

  std::vector<CodePart> parts_;
  std::string file_name_;
  KernelFilter wanted_;
  std::size_t next_part_ = 0, next_kernel_ = 0;
  std::size_t number_ = 0;  ///< of the latest kernel, over all parts
  std::string plain_;       ///< of the open part, if it was compressed
  std::string linked_;      ///< of the open part, if kernels call functions of it
  std::string_view bytes_;
  std::optional<Cubin> cubin_;
  const EncodingTable* table_ = nullptr;
  FactStore facts_;
  std::map<std::string, std::vector<LineRow>, std::less<>> lines_;
};

}  // namespace

Expected<std::unique_ptr<KernelStream>> kernels_of(std::vector<CodePart> parts,
                                                   std::string file_name, KernelFilter wanted) {
  for (const CodePart& part : parts) {
    if (encoding_for(part.sm) != nullptr) continue;
    return Diagnostic{std::move(file_name), "code of sm_" + std::to_string(part.sm),
                      "an encoding that is known", ""};
  }
  std::unique_ptr<KernelStream> stream =
      std::make_unique<BinaryKernels>(std::move(parts), std::move(file_name), std::move(wanted));
  return stream;
}

}  // namespace forewarp::input
