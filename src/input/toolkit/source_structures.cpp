// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/source_structures.h"

#include <algorithm>
#include <optional>
#include <utility>

#include "base/text.h"
#include "input/kernel_names.h"
#include "input/toolkit/source_words.h"

namespace forewarp::input {
namespace {

constexpr std::size_t most_fields = 64;
constexpr std::uint32_t most_bytes = 1U << 16U;  // of all parameters; no compiler takes more

std::uint32_t aligned(std::uint32_t offset, std::uint32_t alignment) {
  return (offset + alignment - 1) / alignment * alignment;
}

/// Words that make a declaration more than data.
bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_word(text[at - 1]);
    const std::size_t end = at + word.size();
    if (begins && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

/// Index behind the brace that closes the one at `open`.
std::size_t behind_brace(std::string_view text, std::size_t open) {
  int depth = 0;
  for (std::size_t i = open; i < text.size(); ++i) {
    if (text[i] == '{') ++depth;
    if (text[i] == '}' && --depth == 0) return i + 1;
  }
  return text.npos;
}

/// Lays out the fields of one structure, declaration by declaration.
class Layout {
 public:
  explicit Layout(const std::vector<SourceStructure>& known) : known_(known) {}

  /// "const float *values, *more", "int shape[3]"; false where it is no plain data.
  bool add(std::string_view declaration) {
    for (const std::string_view label : {"public:", "private:", "protected:"}) {
      declaration = trim(declaration);
      if (declaration.starts_with(label)) declaration.remove_prefix(label.size());
    }
    declaration = trim(declaration);
    if (declaration.empty()) return true;
    for (const std::string_view word : {"virtual", "template", "union", "enum", "class"}) {
      if (has_word(declaration, word)) return false;
    }
    if (declaration.find('(') != declaration.npos) return true;  // a method
    for (const std::string_view word : {"static", "using", "typedef", "friend"}) {
      if (has_word(declaration, word)) return true;
    }
    if (declaration.find(':') != declaration.npos) return false;  // bits, other namespaces
    const auto declarators = split_outside_brackets(declaration);
    std::string type;
    for (std::string_view declarator : declarators) {
      declarator = trim(declarator.substr(0, declarator.find('=')));
      std::vector<std::uint32_t> lengths;
      if (!take_lengths(declarator, lengths)) return false;
      const std::string_view name = word_before(declarator);
      declarator.remove_suffix(name.size());
      const std::string own = bare_type(declarator);
      const std::string stars(static_cast<std::size_t>(std::count(own.begin(), own.end(), '*')),
                              '*');
      if (type.empty()) type = own.substr(0, own.find('*'));
      if (name.empty() || type.empty() || !place(std::string(name), type + stars, lengths)) {
        return false;
      }
    }
    return true;
  }

  std::optional<SourceStructure> done(std::string name, std::uint32_t stated_alignment) && {
    made_.name = std::move(name);
    made_.alignment = std::max(made_.alignment, stated_alignment);
    made_.size = aligned(end_, made_.alignment);
    if (made_.fields.empty() || made_.fields.size() > most_fields) return std::nullopt;
    return std::move(made_);
  }

 private:
  /// "v[2][3]" -> "v" and 2, 3
  static bool take_lengths(std::string_view& declarator, std::vector<std::uint32_t>& lengths) {
    const std::size_t open = declarator.find('[');
    if (open == declarator.npos) return true;
    std::string_view rest = declarator.substr(open);
    declarator = trim(declarator.substr(0, open));
    while (!rest.empty()) {
      const std::size_t close = rest.find(']');
      if (rest.front() != '[' || close == rest.npos) return false;
      const auto length = parse_natural(trim(rest.substr(1, close - 1)));
      if (!length || *length == 0 || *length > most_fields) return false;
      lengths.push_back(static_cast<std::uint32_t>(*length));
      rest = trim(rest.substr(close + 1));
    }
    return true;
  }

  bool place(const std::string& name, const std::string& type,
             const std::vector<std::uint32_t>& lengths, std::size_t dimension = 0) {
    if (dimension == lengths.size()) return place_one(name, type);
    for (std::uint32_t i = 0; i < lengths[dimension]; ++i) {
      if (!place(name + '[' + std::to_string(i) + ']', type, lengths, dimension + 1)) return false;
    }
    return true;
  }

  bool place_one(const std::string& name, const std::string& type) {
    if (made_.fields.size() > most_fields || end_ > most_bytes) return false;
    if (const auto layout = type_layout(type)) {
      const std::uint32_t offset = take(layout->size, layout->alignment);
      made_.fields.push_back({name, type, offset, layout->size});
      return true;
    }
    const auto known = std::find_if(known_.begin(), known_.end(),
                                    [&](const auto& other) { return other.name == type; });
    if (known == known_.end()) return false;
    const std::uint32_t offset = take(known->size, known->alignment);
    for (const SourceStructure::Field& field : known->fields) {
      made_.fields.push_back(
          {name + '.' + field.name, field.type, offset + field.offset, field.size});
    }
    return true;
  }

  std::uint32_t take(std::uint32_t size, std::uint32_t alignment) {
    const std::uint32_t offset = aligned(end_, alignment);
    end_ = offset + size;
    made_.alignment = std::max(made_.alignment, alignment);
    return offset;
  }

  const std::vector<SourceStructure>& known_;
  SourceStructure made_;
  std::uint32_t end_ = 0;
};

/// The declarations between the braces; bodies of methods are skipped.
bool add_body(std::string_view body, Layout& layout) {
  std::size_t begin = 0;
  for (std::size_t i = 0; i < body.size(); ++i) {
    if (body[i] == ';') {
      if (!layout.add(body.substr(begin, i - begin))) return false;
      begin = i + 1;
    } else if (body[i] == '{') {
      const std::string_view before = body.substr(begin, i - begin);
      const std::size_t end = behind_brace(body, i);
      if (before.find('(') == before.npos || end == body.npos) return false;
      if (!layout.add(before)) return false;
      begin = end;
      i = end - 1;
    }
  }
  return trim(body.substr(begin)).empty();
}

/// "__align__(16)", "alignas(16)"; 1 without.
std::optional<std::uint32_t> stated_alignment(std::string_view& head) {
  for (const std::string_view word : {"__align__", "alignas"}) {
    const std::size_t at = head.find(word);
    if (at == head.npos) continue;
    const std::size_t open = head.find('(', at), close = head.find(')', at);
    if (open == head.npos || close == head.npos || close < open) return std::nullopt;
    const auto bytes = parse_natural(trim(head.substr(open + 1, close - open - 1)));
    if (!bytes || *bytes == 0 || *bytes > 4096) return std::nullopt;
    head = trim(head.substr(close + 1));
    return static_cast<std::uint32_t>(*bytes);
  }
  return 1;
}

}  // namespace

std::vector<SourceStructure> structures_in(std::string_view source) {
  const std::string text = without_comments(source);
  const std::string_view all = text;
  const std::string_view keyword = "struct";
  std::vector<SourceStructure> found;
  for (std::size_t at = all.find(keyword); at != all.npos; at = all.find(keyword, at + 1)) {
    const bool whole = (at == 0 || !is_word(all[at - 1])) && at + keyword.size() < all.size() &&
                       !is_word(all[at + keyword.size()]);
    const std::size_t open = all.find('{', at);
    if (!whole || open == all.npos) continue;
    const std::size_t end = behind_brace(all, open);
    std::string_view head = trim(all.substr(at + keyword.size(), open - at - keyword.size()));
    const std::string_view before = all.substr(0, at);
    const std::size_t statement = before.find_last_of(";}{>");
    const bool of_template = statement != before.npos && before[statement] == '>';
    const auto alignment = stated_alignment(head);
    if (end == all.npos || of_template || !alignment) continue;
    const bool plain = std::all_of(head.begin(), head.end(), is_word);
    std::string name(head);
    if (trim(before).ends_with("typedef")) {
      name = std::string(trim(all.substr(end, all.find(';', end) - end)));
    }
    if (!plain || name.empty()) continue;
    Layout layout(found);
    if (!add_body(all.substr(open + 1, end - open - 2), layout)) continue;
    if (auto made = std::move(layout).done(std::move(name), *alignment)) {
      found.push_back(std::move(*made));
    }
  }
  return found;
}

}  // namespace forewarp::input
