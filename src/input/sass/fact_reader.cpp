// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/sass/fact_reader.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "input/kernel_names.h"
#include "input/sass/line_cursor.h"
#include "input/sass/module_header.h"
#include "input/scan.h"

namespace forewarp::input {
namespace {

std::string_view take_word(std::string_view& text) {
  text = skip_blanks(text);
  return take_until(text, " \t");
}

std::optional<std::uint32_t> number(std::string_view text) {
  const auto value = parse_integer(text);
  if (!value || *value < 0 || *value > 0xffffffffLL) return std::nullopt;
  return static_cast<std::uint32_t>(*value);
}

/// The number right before `unit`, or at the end of `text`: "Used 8 registers".
std::optional<std::uint32_t> number_before(std::string_view text, std::string_view unit) {
  const std::size_t at = text.find(unit);
  if (at == std::string_view::npos) return std::nullopt;
  const std::string_view head = drop_trailing_blanks(text.substr(0, at));
  const std::size_t blank = head.find_last_of(" \t,:");
  return number(blank == std::string_view::npos ? head : head.substr(blank + 1));
}

std::optional<std::uint32_t> number_after(std::string_view text, std::string_view key) {
  const std::size_t at = text.find(key);
  if (at == std::string_view::npos) return std::nullopt;
  std::string_view rest = text.substr(at + key.size());
  std::uint64_t value = 0;
  if (!take_integer(rest, value) || value > 0xffffffffU) return std::nullopt;
  return static_cast<std::uint32_t>(value);
}

void set(std::optional<std::uint32_t>& fact, std::optional<std::uint32_t> value) {
  if (value) fact = value;
}

void set_registers(Resources& resources, std::optional<std::uint32_t> value, FactSource source) {
  if (!value) return;
  resources.registers = value;
  resources.registers_source = source;
}

}  // namespace

FactReader::Header FactReader::take_header() {
  return std::exchange(header_, {});
}

std::string FactReader::take_wrong() {
  return std::exchange(wrong_, {});
}

void FactReader::read_all(std::string_view text) {
  module_.keep_all(true);
  LineCursor lines(text);
  for (std::string_view line; lines.next(line);) read(skip_blanks(line));
  module_.enter({});
  module_.keep_all(false);
}

void FactReader::read(std::string_view line) {
  if (line.empty()) return;
  if (module_.read(line)) {
    if (module_.in_section_table()) info_.read_section_row(line);
    return;
  }
  switch (line.front()) {
    case '/':
      return line.starts_with("//") ? read_comment(line) : info_.read_data(line);
    case '.':
      return read_directive(line);
    case 'R':
      if (line.starts_with("REG:")) read_usage(line);
      return;
    case 'F':
      if (take(line, "Function ") && line.ends_with(':')) {
        usage_of_ = line.substr(0, line.size() - 1);
      } else if (line.starts_with("Fatbin")) {
        member_sm_ = 0;
      }
      return;
    case 'a':
    case 'c':
    case '6':
    case '3':
      return read_architecture(line);
    case 'p':
      return read_compiler_message(line);
    case 'A':
    case 'V':
      return info_.read_dump(line);
    default:
      break;
  }
  if (line.find(" bytes stack frame") != std::string_view::npos) return read_compiler_message(line);
  info_.read_section_row(line);
}

/// Reads "code for sm_52", "arch = sm_52", "64bit elf: type=2, abi=7, sm=52, ..".
void FactReader::read_architecture(std::string_view line) {
  std::optional<std::uint32_t> sm;
  if (line.starts_with("code for sm_")) {
    sm = number_after(line, "sm_");
  } else if (line.starts_with("arch = sm_") || line.find("bit elf:") != std::string_view::npos) {
    sm = number_after(line, line.front() == 'a' ? "sm_" : " sm=");
    member_sm_ = sm.value_or(0);
    info_.set_architecture(member_sm_);
    if (line.front() != 'a') module_.begin_file(member_sm_);
  }
  if (sm) sm_ = *sm;
}

void FactReader::read_comment(std::string_view line) {
  if (line.starts_with("//-")) return info_.read_heading(line);
  line.remove_prefix(2);
  const std::string_view key = take_word(line);
  const std::string_view rest = trim(line);
  if (key == "kernel") {
    header_.kernel = rest;
  } else if (key == "arch") {
    if (const auto sm = number_after(rest, "sm_")) sm_ = *sm;
  } else if (key == "param") {
    read_parameter(rest);
  } else if (key == "field") {
    read_field(rest);
  } else if (key == "symbol") {
    read_stated_symbol(rest, store_.modules().stated);
  } else if (key == "constant" && read_stated_bank(rest, store_.modules().stated)) {
    return;
  } else {
    read_header_number(key, rest);
  }
}

void FactReader::read_header_number(std::string_view key, std::string_view rest) {
  Resources& resources = header_.facts.resources;
  const auto value = number(rest);
  if (!value) {  // prose, unless it begins with a digit
    const bool named = key == "registers" || key == "shared" || key == "local" ||
                       key == "barriers" || key == "most_threads";
    if (named && !rest.empty() && rest.front() >= '0' && rest.front() <= '9') {
      wrong_ = std::string(key) + ' ' + std::string(rest);
    }
    return;
  }
  if (key == "registers") set_registers(resources, value, FactSource::header_line);
  if (key == "shared") resources.static_shared = value;
  if (key == "local") resources.local_bytes = value;
  if (key == "constant") resources.constant_bytes = value;
  if (key == "barriers") resources.barriers = value;
  if (key == "most_threads") resources.most_threads = value;
}

/// INDEX NAME [TYPE [BYTES]]; without TYPE, the mangled name gives the type.
void FactReader::read_parameter(std::string_view rest) {
  constexpr std::uint32_t most_parameter = 1U << 16U;  // bytes; no compiler accepts as many
  const std::string_view whole = rest;
  const auto index = number(take_word(rest));
  const std::string_view name = take_word(rest);
  std::string_view type = trim(rest);
  if (!index || name.empty()) return;
  StatedParameter parameter{std::string(name), {}, {}, {}};
  const std::size_t blank = type.find_last_of(" \t");
  if (blank != std::string_view::npos) {
    parameter.size = number(type.substr(blank + 1));
    if (parameter.size) type = trim(type.substr(0, blank));
    if (parameter.size.value_or(0) > most_parameter) wrong_ = "param " + std::string(whole);
  }
  parameter.type = type;
  header_.facts.stated[*index] = std::move(parameter);
}

/// INDEX NAME TYPE OFFSET [BYTES]: a field of the structure parameter INDEX, whose line comes
/// first. The bytes stand where the type does not say them.
void FactReader::read_field(std::string_view rest) {
  const std::string_view whole = rest;
  const auto index = number(take_word(rest));
  const std::string_view name = take_word(rest);
  std::string_view type = trim(rest);
  const auto last_number = [&type]() -> std::optional<std::uint32_t> {
    const std::size_t blank = type.find_last_of(" \t");
    const auto value = blank == type.npos ? std::nullopt : number(type.substr(blank + 1));
    if (value) type = trim(type.substr(0, blank));
    return value;
  };
  auto offset = last_number();
  if (!index || name.empty() || !offset) return;  // prose
  std::optional<std::uint32_t> bytes;
  if (const auto before = last_number()) bytes = std::exchange(offset, before);
  const auto layout = type_layout(type);
  if (layout) bytes = layout->size;
  const auto known = header_.facts.stated.find(*index);
  if (!bytes || *bytes == 0 || known == header_.facts.stated.end() || !known->second.size ||
      std::uint64_t{*offset} + *bytes > *known->second.size) {
    wrong_ = "field " + std::string(whole);
    return;
  }
  known->second.fields.push_back(
      {std::string(name), std::string(type), *offset, *bytes, layout && layout->pointer});
}

/// REG:38 STACK:0 SHARED:0 LOCAL:0 CONSTANT[0]:376 ..; STACK is now what LOCAL once was.
void FactReader::read_usage(std::string_view line) {
  if (usage_of_.empty()) return;
  KernelFacts& facts = store_.of(member_sm_, usage_of_);
  Resources& resources = facts.resources;
  set_registers(resources, number_after(line, "REG:"), FactSource::stated);
  set(facts.counted_shared, number_after(line, " SHARED:"));
  set(resources.constant_bytes, number_after(line, " CONSTANT[0]:"));
  const auto stack = number_after(line, " STACK:");
  const auto local = number_after(line, " LOCAL:");
  if (stack || local) resources.local_bytes = std::max(stack.value_or(0), local.value_or(0));
  usage_of_.clear();
}

void FactReader::read_compiler_message(std::string_view line) {
  constexpr std::string_view compiling = "Compiling entry function '";
  constexpr std::string_view properties = "Function properties for ";
  if (const std::size_t at = line.find(compiling); at != std::string_view::npos) {
    entry_ = line.substr(at + compiling.size());
    entry_.resize(std::min(entry_.size(), entry_.find('\'')));
    member_sm_ = number_after(line, " for 'sm_").value_or(0);
  } else if (const std::size_t name = line.find(properties); name != std::string_view::npos) {
    properties_of_ = trim(line.substr(name + properties.size()));
  } else if (const auto frame = number_before(line, " bytes stack frame")) {
    if (!properties_of_.empty())
      store_.of(member_sm_, properties_of_).resources.local_bytes = frame;
  } else {
    read_compiler_usage(line);
  }
}

/// "Used 8 registers, 1 barriers, 512 bytes smem, 344 bytes cmem[0]"; what is not listed is 0.
void FactReader::read_compiler_usage(std::string_view line) {
  const auto registers = number_before(line, " registers");
  if (!registers || entry_.empty()) return;
  KernelFacts& facts = store_.of(member_sm_, entry_);
  Resources& resources = facts.resources;
  set_registers(resources, registers, FactSource::stated);
  facts.counted_shared = number_before(line, " bytes smem").value_or(0);
  set(resources.constant_bytes, number_before(line, " bytes cmem[0]"));
  set(resources.barriers, number_before(line, " barriers"));
}

void FactReader::read_directive(std::string_view line) {
  if (line.find_first_of(" \t") == std::string_view::npos) module_.enter(line);
  if (take(line, ".zero")) return add_shared(skip_blanks(line));
  if (line.starts_with(".nv.info")) return info_.enter(line);
  if (line.starts_with(".headerflags")) {
    if (const auto sm = number_after(line, "EF_CUDA_SM")) sm_ = *sm;
  } else if (take(line, ".section")) {
    if (take(line, "info") || take(line, "flags")) {
      if (section_of_.empty()) return;
      Resources& resources = store_.of(0, section_of_).resources;
      set_registers(resources, number_after(line, "SHI_REGISTERS="), FactSource::section_info);
      set(resources.barriers, number_after(line, "_BARRIERS="));
      return;
    }
    line = skip_blanks(line);
    const std::string_view name = take_until(line, ",");
    module_.enter(name);
    section_of_ = name.starts_with(".text.") ? name.substr(6) : std::string_view();
    begin_shared(name);
    info_.enter(name);
  }
}

/// ".nv.shared.NAME": its ".zero" lines follow; none, where all shared memory is dynamic.
void FactReader::begin_shared(std::string_view section) {
  shared_of_ = take(section, ".nv.shared.") ? section : std::string_view();
  if (!shared_of_.empty()) store_.of(0, shared_of_).counted_shared = 0;
}

void FactReader::add_shared(std::string_view count) {
  const auto bytes = number(count);
  if (shared_of_.empty() || !bytes) return;
  std::optional<std::uint32_t>& counted = store_.of(0, shared_of_).counted_shared;
  counted = std::uint32_t{counted.value_or(0) + *bytes};
}

}  // namespace forewarp::input
