// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/sass/sass_reader.h"

#include <algorithm>
#include <filesystem>
#include <unordered_set>
#include <utility>

#include "base/text.h"
#include "input/sass/instruction_line.h"
#include "input/sass/kernel_completion.h"
#include "input/scan.h"

namespace forewarp::input {
namespace {

constexpr const char* how_to_make = "make a listing with: cuobjdump -sass FILE";
constexpr const char* how_to_write = "name the file that defines the kernel";

/// What a file of source code should hold, by its ending; null: it is no source.
const char* source_kind(std::string_view name) {
  const std::string_view ending = name.substr(std::min(name.rfind('.'), name.size()));
  if (ending == ".cu" || ending == ".cuh") return "a __global__ function";
  if (ending == ".cl") return "a __kernel function";
  return ending == ".ptx" ? "an .entry" : nullptr;
}
constexpr std::size_t longest_quote = 60;
constexpr std::uint32_t most_code = std::uint32_t{256}
                                    << 20U;  // bytes to which functions are added

std::string quoted(std::string_view text) {
  std::string result = "'";
  for (const char c : text.substr(0, longest_quote)) {
    const bool printable = c >= ' ' && c < 0x7f;
    result += printable ? c : '?';
  }
  return result + (text.size() > longest_quote ? "..'" : "'");
}

/// The lines after the last kernel, where -res-usage or a log may follow a listing, and where
/// nvdisasm prints the module's variables.
std::string_view tail_of(std::string_view text, std::string_view head) {
  if (head.find("\t.section\t") != std::string_view::npos) {
    const std::size_t code = text.rfind("\t.section\t.text.");
    if (code == std::string_view::npos) return {};
    const std::size_t next = text.find("\n\t.section\t", code);
    return next == std::string_view::npos ? std::string_view() : text.substr(next + 1);
  }
  const std::size_t code = text.rfind("*/");
  return code == std::string_view::npos ? std::string_view() : text.substr(code + 2);
}

/// Whether a line begins a kernel, or a file member with further kernels.
bool ends_kernel(std::string_view line) {
  return !function_on_line(line).empty() || line.starts_with("// kernel ") ||
         line.starts_with("//----") || (begins_file(line) && line.front() != '.');
}

}  // namespace

SassReader::SassReader(InputSource source, std::string_view companion)
    : source_(std::move(source)), lines_(source_.bytes()), fact_reader_(facts_), file_(lines_) {
  fact_reader_.read_all(companion);
}

std::optional<Diagnostic> SassReader::check_text() const {
  const std::string& name = source_.file_name();
  const std::string_view head = source_.head();
  if (trim(head).empty() && head.size() == source_.bytes().size()) {
    const bool is_source = source_kind(name) != nullptr;
    return Diagnostic{name, "is empty", is_source ? source_kind(name) : "a SASS listing",
                      is_source ? how_to_write : how_to_make};
  }
  const std::size_t zero = head.find('\0');
  if (zero != std::string_view::npos) {
    return Diagnostic{name, "is binary: byte " + std::to_string(zero) + " is zero",
                      "the text of a SASS listing", how_to_make};
  }
  return std::nullopt;
}

Expected<std::optional<Kernel>> SassReader::next() {
  if (!started_) {
    started_ = true;
    if (auto refusal = check_text()) return *refusal;
    FactReader tail(facts_);
    tail.read_all(tail_of(source_.bytes(), source_.head()));
  }
  source_.release_before(lines_.line_begin());
  kernel_begin_ = lines_.line_begin();
  for (std::string_view line; lines_.next(line);) {
    auto step = read_line(line);
    if (!step) return std::move(step).error();
    if (*step == Step::kernel_complete) return finish();
  }
  return finish_at_end();
}

Expected<SassReader::Step> SassReader::read_line(std::string_view whole_line) {
  const std::string_view line = skip_blanks(whole_line);
  if (line.empty()) return Step::go_on;
  switch (line_kind(line)) {
    case LineKind::instruction:
      return read_instruction(line, whole_line);
    case LineKind::word:
      return read_word_line(line, whole_line);
    case LineKind::label:
      if (builder_) {
        builder_->add_label(label_on_line(line));
      } else {
        early_labels_.push_back(label_on_line(line));
        fact_reader_.read(line);
      }
      return Step::go_on;
    case LineKind::source_marker:
      read_marker(line);
      return Step::go_on;
    case LineKind::other:
      break;
  }
  return read_other(line);
}

Expected<SassReader::Step> SassReader::read_instruction(std::string_view line,
                                                        std::string_view whole_line) {
  InstructionLine parts;
  if (const auto broken = split_instruction_line(line, parts); broken.expected != nullptr) {
    return fault(broken, line, whole_line);
  }
  if (!builder_) {
    if (header_name_.empty() && !fact_reader_.has_named_header()) {
      header_name_ = std::filesystem::path(source_.file_name()).stem().string();
    }
    start(header_name_);
    for (const std::string_view label : early_labels_) builder_->add_label(label);
    early_labels_.clear();
  }
  if (builder_->sm() == 0) {
    return Diagnostic{place_in_file(source_.file_name(), lines_.number()),
                      "code before any line that names its architecture", "a line '// arch sm_52'",
                      "put one at the head of the listing"};
  }
  if (auto broken = builder_->add(parts, lines_.number()); broken.expected != nullptr) {
    if (!parts.text.empty()) broken.at += static_cast<std::size_t>(parts.text.data() - line.data());
    return fault(broken, line, whole_line);
  }
  marker_open_ = false;
  return Step::go_on;
}

Expected<SassReader::Step> SassReader::read_word_line(std::string_view line,
                                                      std::string_view whole_line) {
  std::uint64_t word = 0;
  if (!read_word(line, word)) {
    return fault({"an encoding such as /* 0x.. */", 0}, line, whole_line);
  }
  if (builder_ && builder_->sm() != 0) builder_->add_word(word, lines_.number());
  return Step::go_on;
}

Expected<SassReader::Step> SassReader::read_other(std::string_view line) {
  if (ends_kernel(line)) {
    if (has_code()) {
      lines_.step_back();
      return Step::kernel_complete;
    }
    builder_.reset();
    early_labels_.clear();
  }
  if (!builder_ && begins_file(line)) {
    file_ = lines_;
    file_.step_back();
    functions_.reset();
  }
  fact_reader_.read(line);
  if (const std::string wrong = fact_reader_.take_wrong(); !wrong.empty()) {
    return Diagnostic{place_in_file(source_.file_name(), lines_.number()),
                      "the header line '" + wrong + "' has no usable number",
                      "a whole number, of a parameter's bytes at most 65536", ""};
  }
  if (const std::string_view name = function_on_line(line); !name.empty()) start(name);
  return Step::go_on;
}

void SassReader::read_marker(std::string_view line) {
  SourceMarker marker;
  if (!builder_ || !read_source_marker(line, marker)) return;
  if (!marker_open_) builder_->set_source(marker.file, marker.line);
  marker_open_ = marker.inlined || marker_open_;
}

/// Header lines belong to the kernel that they name, else to the next one.
void SassReader::start(std::string_view mangled) {
  FactReader::Header header = fact_reader_.take_header();
  std::string name(mangled);
  if (name.empty()) name = header.kernel;
  const std::string& subject = header.kernel.empty() ? name : header.kernel;
  KernelFacts& known = facts_.of(0, subject);
  header.facts.merge(known);
  known = std::move(header.facts);
  builder_.emplace(std::move(name), fact_reader_.sm());
}

/// Reads the code of all functions that the kernel or one of them calls, again for each kernel.
Expected<std::vector<PlacedFunction>> SassReader::add_called_functions() {
  std::vector<PlacedFunction> all{{std::string(builder_->mangled()), 0}};
  std::unordered_set<std::string> asked{all[0].name};
  const ModuleFacts* module = facts_.modules().find(builder_->sm(), all[0].name);
  for (std::size_t i = 0; i < all.size(); ++i) {
    std::vector<std::string> names = builder_->take_outside_names();
    if (module != nullptr) {
      const bool by_address = builder_->calls_by_register();
      for (std::string& name : names_in_relocations(*module, all[i].name, by_address))
        names.push_back(std::move(name));
    }
    for (std::string& name : names) {
      if (builder_->last_address() > most_code || !asked.insert(name).second) continue;
      if (!functions_) functions_.emplace(file_);
      const auto place = functions_->find(name);
      if (!place) continue;
      all.push_back({std::move(name), 0});
      if (auto fault = add_function(*place, all.back())) return *std::move(fault);
    }
  }
  all.erase(all.begin());
  return all;
}

std::optional<Diagnostic> SassReader::add_function(LineCursor at, PlacedFunction& function) {
  const LineCursor here = std::exchange(lines_, at);
  std::string_view line;
  if (lines_.next(line)) fact_reader_.read(skip_blanks(line));
  function.begin = builder_->begin_function(function_on_line(skip_blanks(line)));
  while (lines_.next(line)) {
    const std::string_view text = skip_blanks(line);
    if (text.empty()) continue;
    if (line_kind(text) != LineKind::other) {
      if (auto step = read_line(line); !step) return std::move(step).error();
    } else if (ends_kernel(text)) {
      break;
    } else {
      fact_reader_.read(text);
    }
  }
  lines_ = here;
  return std::nullopt;
}

Expected<std::optional<Kernel>> SassReader::finish() {
  auto functions = add_called_functions();
  if (!functions) return std::move(functions).error();
  Kernel kernel = builder_->finish();
  builder_.reset();
  header_name_.clear();
  ++kernels_;
  complete_kernel(kernel, facts_, *functions);
  return std::optional<Kernel>(std::move(kernel));
}

Expected<std::optional<Kernel>> SassReader::finish_at_end() {
  if (has_code()) {
    if (builder_->half_encoded()) {
      return Diagnostic{place_in_file(source_.file_name(), lines_.number()),
                        "the listing ends between the two words of an instruction",
                        "the second word", how_to_make};
    }
    return finish();
  }
  if (kernels_ > 0) return std::optional<Kernel>();
  const std::string_view head = trim(source_.head());
  if (const char* expected = source_kind(source_.file_name())) {
    return Diagnostic{source_.file_name(),
                      "has no kernel; it begins with " + quoted(head.substr(0, head.find('\n'))),
                      expected, how_to_write};
  }
  return Diagnostic{
      source_.file_name(),
      "holds no machine code; it begins with " + quoted(head.substr(0, head.find('\n'))),
      "the text of cuobjdump -sass or nvdisasm", how_to_make};
}

Diagnostic SassReader::fault(const InstructionFault& fault, std::string_view line,
                             std::string_view whole_line) const {
  const auto indent = static_cast<std::size_t>(line.data() - whole_line.data());
  const bool cut = !lines_.terminated() && lines_.at_end();
  const std::string found = cut ? "the listing ends inside the instruction " : "cannot read ";
  return {place_in_file(source_.file_name(), lines_.number(), indent + fault.at + 1),
          found + quoted(drop_trailing_blanks(line)), fault.expected, how_to_make};
}

}  // namespace forewarp::input
