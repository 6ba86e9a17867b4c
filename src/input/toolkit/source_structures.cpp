// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/source_structures.h"

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "base/text.h"
#include "input/kernel_names.h"
#include "input/toolkit/source_words.h"

namespace forewarp::input {
namespace {

constexpr std::size_t most_fields = 64, most_dimensions = 4;
constexpr std::size_t most_structures = 1024;
constexpr std::size_t longest_head = 512, longest_body = 16384;  // characters
constexpr std::string_view keyword = "struct";
constexpr std::uint32_t most_bytes = 1U << 16U;  // of all parameters; no compiler accepts more

/// Whether `word` occurs as a whole word; some make a declaration more than plain data.
bool has_word(std::string_view text, std::string_view word) {
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) {
    const bool begins = at == 0 || !is_word(text[at - 1]);
    const std::size_t end = at + word.size();
    if (begins && (end == text.size() || !is_word(text[end]))) return true;
  }
  return false;
}

/// For each opening brace, the index after the one that closes it; 0 elsewhere.
std::vector<std::size_t> behind_braces(std::string_view text) {
  std::vector<std::size_t> behind(text.size(), 0), open;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '{') open.push_back(i);
    if (text[i] != '}' || open.empty()) continue;
    behind[open.back()] = i + 1;
    open.pop_back();
  }
  return behind;
}

/// Lays out the fields of one structure, declaration by declaration.
class Layout {
 public:
  explicit Layout(const std::vector<SourceStructure>& known) : known_(known) {}

  /// Adds "const float *values, *more" or "int shape[3]"; false if it is not plain data.
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
    const std::string_view head = declaration.substr(0, declaration.find('='));
    for (const std::string_view part : {"alignas", "__align__", "(*", "( *", "decltype"}) {
      if (head.find(part) != head.npos) return false;
    }
    // A method has brackets before any initialiser.
    if (head.find('(') != head.npos || has_word(head, "operator")) return true;
    for (const std::string_view word : {"static", "using", "typedef", "friend"}) {
      if (has_word(declaration, word)) return true;
    }
    if (head.find(':') != head.npos) return false;  // bit fields, qualified names
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
    made_.size = aligned_offset(end_, made_.alignment);
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
      if (lengths.size() > most_dimensions) return false;
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
    if (const auto vector = vector_structure(type)) {
      const std::uint32_t offset = take(vector->size, vector->alignment);
      add_fields(name, *vector, offset);
      return true;
    }
    if (const auto layout = type_layout(type)) {
      const std::uint32_t offset = take(layout->size, layout->alignment);
      made_.fields.push_back({name, type, offset, layout->size});
      return true;
    }
    const auto known = std::find_if(known_.begin(), known_.end(),
                                    [&](const auto& other) { return other.name == type; });
    if (known == known_.end()) return false;
    const std::uint32_t offset = take(known->size, known->alignment);
    add_fields(name, *known, offset);
    return true;
  }

  void add_fields(const std::string& name, const SourceStructure& inner, std::uint32_t offset) {
    for (const SourceStructure::Field& field : inner.fields) {
      made_.fields.push_back(
          {name + '.' + field.name, field.type, offset + field.offset, field.size});
    }
  }

  std::uint32_t take(std::uint32_t size, std::uint32_t alignment) {
    const std::uint32_t offset = aligned_offset(end_, alignment);
    end_ = offset + size;
    made_.alignment = std::max(made_.alignment, alignment);
    return offset;
  }

  const std::vector<SourceStructure>& known_;
  SourceStructure made_;
  std::uint32_t end_ = 0;
};

/// Adds the declarations between two braces, skipping bodies of methods.
bool add_body(std::string_view all, const std::vector<std::size_t>& behind, std::size_t begin,
              std::size_t end, Layout& layout) {
  for (std::size_t i = begin; i < end; ++i) {
    if (all[i] == ';') {
      if (!layout.add(all.substr(begin, i - begin))) return false;
      begin = i + 1;
    } else if (all[i] == '{') {
      const std::string_view before = all.substr(begin, i - begin);
      const std::size_t assigned = before.find('='), bracket = before.find('(');
      if (bracket > assigned || bracket == before.npos || behind[i] == 0) return false;
      if (!layout.add(before)) return false;
      begin = behind[i];
      i = begin - 1;
    }
  }
  return trim(all.substr(begin, end - begin)).empty();
}

/// The alignment in "__align__(16)" or "alignas(16)"; 1 without one.
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

/// Whether "template <class T>" precedes the keyword, back to the previous statement.
bool follows_template(std::string_view before) {
  before = trim(before.substr(before.size() - std::min(before.size(), longest_head)));
  if (!before.ends_with('>')) return false;
  const std::size_t statement = before.find_last_of(";}");
  return has_word(before.substr(statement == before.npos ? 0 : statement), "template");
}

bool same_layout(const SourceStructure& a, const SourceStructure& b) {
  return a.size == b.size && std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(),
                                        b.fields.end(), [](const auto& x, const auto& y) {
                                          return x.name == y.name && x.type == y.type &&
                                                 x.offset == y.offset;
                                        });
}

/// The structure declared by the keyword at `at`; nullopt if it is not plain data.
std::optional<SourceStructure> structure_at(std::string_view all, std::size_t at,
                                            const std::vector<std::size_t>& behind,
                                            const std::vector<SourceStructure>& known) {
  const std::size_t begin = at + keyword.size();
  const bool whole =
      (at == 0 || !is_word(all[at - 1])) && begin < all.size() && !is_word(all[begin]);
  const std::size_t length = all.substr(begin, longest_head).find_first_of("{;");
  if (!whole || length == all.npos || all[begin + length] == ';') return std::nullopt;
  const std::size_t open = begin + length, end = behind[open];
  std::string_view head = trim(all.substr(begin, length));
  const auto alignment = stated_alignment(head);
  if (end == 0 || end - open > longest_body || !alignment || follows_template(all.substr(0, at))) {
    return std::nullopt;
  }
  std::string name(head);
  const std::string_view before =
      all.substr(at - std::min(at, longest_head), std::min(at, longest_head));
  if (trim(before).ends_with("typedef")) {
    const std::string_view rest = all.substr(end, longest_head);
    name = std::string(trim(rest.substr(0, rest.find(';'))));
  }
  if (name.empty() || !std::all_of(name.begin(), name.end(), is_word)) return std::nullopt;
  if (!std::all_of(head.begin(), head.end(), is_word)) return std::nullopt;
  Layout layout(known);
  if (!add_body(all, behind, open + 1, end - 1, layout)) return std::nullopt;
  return std::move(layout).done(std::move(name), *alignment);
}

}  // namespace

std::optional<SourceStructure> vector_structure(std::string_view type) {
  constexpr std::pair<std::string_view, std::string_view> elements[] = {
      {"char", "char"},
      {"uchar", "unsigned char"},
      {"short", "short"},
      {"ushort", "unsigned short"},
      {"int", "int"},
      {"uint", "unsigned int"},
      {"float", "float"},
      {"long", "long"},
      {"ulong", "unsigned long"},
      {"longlong", "long long"},
      {"double", "double"},
      {"ulonglong", "unsigned long long"}};
  if (type.size() < 2 || type.back() < '1' || type.back() > '4') return std::nullopt;
  const auto layout = type_layout(type);
  const auto count = static_cast<std::uint32_t>(type.back() - '0');
  for (const auto& [name, element] : elements) {
    if (name != type.substr(0, type.size() - 1) || !layout) continue;
    SourceStructure made{std::string(type), {}, layout->size, layout->alignment};
    for (std::uint32_t i = 0; i < count; ++i) {
      made.fields.push_back({std::string(1, "xyzw"[i]), std::string(element),
                             i * layout->size / count, layout->size / count});
    }
    return made;
  }
  return std::nullopt;
}

std::vector<SourceStructure> structures_in(std::string_view source) {
  const std::string text = declarations_of(source, Conditional::dropped);
  const std::string_view all = text;
  const std::vector<std::size_t> behind = behind_braces(all);
  std::vector<SourceStructure> found;
  std::set<std::string> ambiguous;
  for (std::size_t at = all.find(keyword); at != all.npos; at = all.find(keyword, at + 1)) {
    if (found.size() >= most_structures) break;
    auto made = structure_at(all, at, behind, found);
    if (!made) continue;
    const auto known = std::find_if(found.begin(), found.end(),
                                    [&](const auto& one) { return one.name == made->name; });
    if (known == found.end()) {
      found.push_back(std::move(*made));
    } else if (!same_layout(*known, *made)) {
      ambiguous.insert(made->name);
    }
  }
  std::erase_if(found, [&](const auto& one) { return ambiguous.contains(one.name); });
  return found;
}

}  // namespace forewarp::input
