// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "input/toolkit/structure_layout.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "input/kernel_names.h"
#include "input/toolkit/source_words.h"

namespace forewarp::input {
namespace {

constexpr std::size_t most_fields = 64, most_dimensions = 4, most_depth = 8;
constexpr std::uint32_t most_bytes = 1U << 16U;  // of all parameters; no compiler accepts more

/// Where the colon of "int x : 3" is, which that of "ns::T x" is not.
std::size_t width_of_bits(std::string_view declarator) {
  for (std::size_t at = 0; at < declarator.size(); ++at) {
    if (declarator.substr(at, 2) == "::") {
      ++at;
    } else if (declarator[at] == ':') {
      return at;
    }
  }
  return declarator.npos;
}

/// Lays out the fields of one structure, declaration by declaration.
class Layout {
 public:
  Layout(BoundNames names, const FindStructure& find, std::size_t depth)
      : names_(std::move(names)), find_(find), depth_(depth) {}

  /// Reads the text between the braces; stops at the first member whose size is not known.
  void add_body(std::string_view body) {
    std::string declaration;
    for (std::size_t i = 0; i < body.size() && made_.complete; ++i) {
      if (body[i] == ';') {
        add(declaration);
        declaration.clear();
      } else if (body[i] == '{') {
        i = add_braces(body, i, declaration) - 1;
      } else {
        declaration += body[i];
      }
    }
  }

  std::optional<SourceStructure> done(std::string name, std::uint32_t stated_alignment) && {
    const bool usable = std::any_of(made_.fields.begin(), made_.fields.end(),
                                    [](const auto& field) { return field.plain; });
    if (!usable || end_ > most_bytes) return std::nullopt;
    made_.name = std::move(name);
    made_.alignment = std::max(made_.alignment, stated_alignment);
    made_.size = made_.complete ? aligned_offset(end_, made_.alignment) : end_;
    return std::move(made_);
  }

  /// All members from byte 0 on, as one field without a name.
  std::optional<SourceStructure> as_union() && {
    if (!made_.complete || made_.fields.empty()) return std::nullopt;
    std::vector<std::string> names;
    for (const auto& field : made_.fields) names.push_back(field.name);
    const std::uint32_t size = aligned_offset(std::max(widest_, end_), made_.alignment);
    return SourceStructure{
        "", {{"", "union of " + join(names, ", "), 0, size, false}}, size, made_.alignment};
  }

 private:
  struct Declarator {
    std::string name;
    std::string stars;
    std::vector<std::uint32_t> lengths;
  };

  /// What follows an opening brace: a structure inside, the body of a method, or an initialiser.
  /// Returns the index behind its end.
  std::size_t add_braces(std::string_view body, std::size_t open, std::string& declaration) {
    std::size_t end = behind_closing(body, open);
    if (end == body.npos) end = body.size() + 1;
    const std::string_view inner = body.substr(open + 1, end - open - 2);
    std::string_view head = without_labels(declaration);
    const std::string kind(first_word(head));
    const bool type = kind == "struct" || kind == "union" || kind == "class" || kind == "enum";
    const auto alignment = type ? take_alignment(head) : 1;
    if (head.substr(0, head.find('=')).find('(') != head.npos) {
      end = behind_method(body, end);
      declaration.clear();
    } else if (has_word(head, "template")) {
      declaration.clear();
    } else if (type) {
      if (head.starts_with(kind)) head.remove_prefix(kind.size());
      declaration = kind == "enum" ? add_enumeration(trim(head))
                                   : add_inner(trim(head), kind == "union", alignment, inner);
    }
    return std::min(end, body.size());
  }

  /// A(int m) : n{m}, k{2} {} has several pairs of braces.
  static std::size_t behind_method(std::string_view body, std::size_t end) {
    for (;;) {
      const std::size_t next = body.find_first_not_of(' ', std::min(end, body.size()));
      if (next == body.npos || (body[next] != ',' && body[next] != '{')) return end;
      const std::size_t brace = body.find_first_of("{;}", next);
      const std::size_t behind =
          brace == body.npos || body[brace] != '{' ? body.npos : behind_closing(body, brace);
      if (behind == body.npos) return end;
      end = behind;
    }
  }

  std::string unnamed() const { return "unnamed" + std::to_string(inner_.size() + 1) + '_'; }

  std::string add_enumeration(std::string_view head) {
    for (const std::string_view word : {"class ", "struct "}) {
      if (head.starts_with(word)) head.remove_prefix(word.size());
    }
    std::string name(first_word(head));
    if (name.empty()) name = unnamed();
    inner_.insert_or_assign(name, layout_of(enumeration_type(head)));
    return name;
  }

  /// Keeps the type that is declared inside and returns the name that stands for it.
  std::string add_inner(std::string_view head, bool is_union,
                        std::optional<std::uint32_t> alignment, std::string_view body) {
    const bool is_unnamed = head.empty();
    const std::string name = is_unnamed ? unnamed() : std::string(first_word(head));
    std::optional<SourceStructure> made;
    const bool bare = is_unnamed || head.size() == name.size();
    if (bare && alignment && depth_ < most_depth && !has_word(body, "virtual")) {
      const FindStructure find = [this](const std::string& type) {
        const auto own = inner_.find(type);
        return own != inner_.end() ? own->second : find_(type);
      };
      Layout layout(names_, find, depth_ + 1);
      layout.is_union_ = is_union;
      layout.add_body(body);
      made = is_union ? std::move(layout).as_union() : std::move(layout).done(name, *alignment);
    }
    inner_.insert_or_assign(name, std::move(made));
    return (is_unnamed ? std::string(unnamed_mark) : "") + name;
  }

  static std::string_view without_labels(std::string_view declaration) {
    for (const std::string_view label : {"public:", "private:", "protected:",  //
                                         "public :", "private :", "protected :"}) {
      declaration = trim(declaration);
      if (declaration.starts_with(label)) declaration.remove_prefix(label.size());
    }
    return trim(declaration);
  }

  /// Adds "const float *values, *more" or "int shape[3]".
  void add(std::string_view declaration) {
    declaration = without_labels(declaration);
    if (declaration.empty() || has_word(declaration, "template")) return;
    const bool unnamed = declaration.starts_with(unnamed_mark);
    if (unnamed) declaration.remove_prefix(unnamed_mark.size());
    if (inner_.contains(declaration)) {  // only declares a type, or its members are one's own
      if (unnamed) place_member("", std::string(declaration), {});
      return;
    }
    const auto alignment = take_alignment(declaration);
    const std::string_view head = declaration.substr(0, declaration.find('='));
    if (!alignment || head.find("(*") != head.npos || head.find("( *") != head.npos ||
        has_word(head, "decltype")) {
      return leave(word_before(head), head);
    }
    // A method has brackets before any initialiser.
    if (head.find('(') != head.npos || has_word(head, "operator")) return;
    for (const std::string_view word : {"static", "using", "typedef", "friend"}) {
      if (has_word(declaration, word)) return bind_name(declaration);
    }
    stated_ = *alignment;
    add_declarators(declaration);
    stated_ = 1;
  }

  void add_declarators(std::string_view declaration) {
    std::string type;
    for (std::string_view declarator : split_outside_brackets(declaration)) {
      declarator = trim(declarator.substr(0, declarator.find('=')));
      const std::string_view whole = declarator;
      Declarator made;
      const bool counted = take_lengths(declarator, made.lengths);
      const bool bits = width_of_bits(declarator) != declarator.npos;
      made.name = word_before(declarator);
      declarator.remove_suffix(made.name.size());
      const std::string own = bare_type(declarator);
      made.stars.assign(static_cast<std::size_t>(std::count(own.begin(), own.end(), '*')), '*');
      if (type.empty()) type = own.substr(0, own.find('*'));
      if (!counted || bits || made.name.empty() || type.empty()) {
        return leave(word_before(whole.substr(0, std::min(whole.find('['), width_of_bits(whole)))),
                     whole);
      }
      place_member(made.name, with_bound_names(type, names_) + made.stars, made.lengths);
      if (!made_.complete) return;
    }
  }

  /// "using T = float", "typedef float T", "static constexpr int n = 4"
  void bind_name(std::string_view declaration) {
    const std::size_t equal = declaration.find('=');
    if (has_word(declaration, "typedef")) {
      const std::string_view name = word_before(declaration);
      declaration.remove_suffix(name.size());
      const std::string type = bare_type(declaration.substr(declaration.find("typedef") + 7));
      if (!type.empty()) names_[std::string(name)] = with_bound_names(type, names_);
    } else if (equal != declaration.npos && !has_word(declaration, "friend")) {
      const std::string_view value = trim(declaration.substr(equal + 1));
      const bool type = has_word(declaration, "using");
      names_[std::string(word_before(declaration.substr(0, equal)))] =
          with_bound_names(type ? bare_type(value) : std::string(value), names_);
    }
  }

  /// "v[2][N]" -> "v" and 2, N
  bool take_lengths(std::string_view& declarator, std::vector<std::uint32_t>& lengths) const {
    const std::size_t open = declarator.find('[');
    if (open == declarator.npos) return true;
    std::string_view rest = declarator.substr(open);
    declarator = trim(declarator.substr(0, open));
    while (!rest.empty()) {
      const std::size_t close = rest.find(']');
      if (rest.front() != '[' || close == rest.npos) return false;
      const std::string text = with_bound_names(trim(rest.substr(1, close - 1)), names_);
      std::string_view number = text;
      while (number.ends_with('u') || number.ends_with('l') || number.ends_with('U')) {
        number.remove_suffix(1);
      }
      const auto length = parse_natural(number);
      if (!length || *length == 0 || *length > most_bytes) return false;
      lengths.push_back(static_cast<std::uint32_t>(*length));
      if (lengths.size() > most_dimensions) return false;
      rest = trim(rest.substr(close + 1));
    }
    return true;
  }

  /// A member, or each element of it; of arrays with too many elements only the place.
  void place_member(const std::string& name, const std::string& type,
                    const std::vector<std::uint32_t>& lengths) {
    const auto layout = layout_of(type);
    if (is_union_) widest_ = std::max(widest_, std::exchange(end_, 0));
    std::uint64_t count = 1;
    for (const std::uint32_t length : lengths) {
      count = std::min<std::uint64_t>(count * length, most_bytes);
    }
    if (!layout || !layout->complete || end_ + count * layout->size > most_bytes) {
      return leave(name, type);
    }
    if (made_.fields.size() + count * layout->fields.size() > most_fields) {
      const auto bytes = static_cast<std::uint32_t>(count * layout->size);
      const std::uint32_t offset = take(bytes, layout->alignment);
      if (made_.fields.size() >= most_fields) return leave(name, type);
      made_.fields.push_back(
          {name, type + '[' + std::to_string(count) + ']', offset, bytes, false});
      return;
    }
    place_elements(name, *layout, lengths, 0);
  }

  void place_elements(const std::string& name, const SourceStructure& layout,
                      const std::vector<std::uint32_t>& lengths, std::size_t dimension) {
    if (dimension < lengths.size()) {
      for (std::uint32_t i = 0; i < lengths[dimension]; ++i) {
        place_elements(name + '[' + std::to_string(i) + ']', layout, lengths, dimension + 1);
      }
      return;
    }
    const std::uint32_t offset = take(layout.size, layout.alignment);
    for (SourceStructure::Field field : layout.fields) {
      field.name = name.empty() ? field.name : field.name.empty() ? name : name + '.' + field.name;
      if (field.name.empty()) field.name = "union@" + std::to_string(offset);
      field.offset += offset;
      made_.fields.push_back(std::move(field));
    }
  }

  [[nodiscard]] std::optional<SourceStructure> layout_of(const std::string& type) const {
    if (auto number = number_structure(type)) return number;
    if (const auto own = inner_.find(type); own != inner_.end()) return own->second;
    return find_(type);
  }

  /// The member was not understood, and neither where the next one begins.
  void leave(std::string_view name, std::string_view type) {
    made_.complete = false;
    if (made_.fields.empty()) return;
    made_.fields.push_back({std::string(name.empty() ? "rest" : name),
                            "not understood: " + std::string(type) + ", and what follows", end_, 0,
                            false});
  }

  std::uint32_t take(std::uint32_t size, std::uint32_t alignment) {
    alignment = std::max(alignment, stated_);
    const std::uint32_t offset = aligned_offset(end_, alignment);
    end_ = offset + size;
    made_.alignment = std::max(made_.alignment, alignment);
    return offset;
  }

  static constexpr std::string_view unnamed_mark = "?";  // no declaration begins with it

  BoundNames names_;
  const FindStructure& find_;
  std::size_t depth_;
  std::map<std::string, std::optional<SourceStructure>, std::less<>> inner_;
  SourceStructure made_;
  std::uint32_t end_ = 0, stated_ = 1;
  bool is_union_ = false;
  std::uint32_t widest_ = 0;  // of a union's members so far
};

}  // namespace

std::optional<SourceStructure> lay_out(const StructureText& text, BoundNames names,
                                       const FindStructure& find) {
  // A pointer to the table of virtual functions would come first.
  if (has_word(text.body, "virtual")) return std::nullopt;
  Layout layout(std::move(names), find, 0);
  layout.add_body(text.body);
  return std::move(layout).done(text.name, text.alignment);
}

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

std::optional<SourceStructure> number_structure(std::string_view type) {
  if (type.starts_with("std::")) type.remove_prefix(5);  // std::uint32_t
  if (auto vector = vector_structure(type)) return vector;
  const auto layout = type_layout(type);
  if (!layout) return std::nullopt;
  return SourceStructure{std::string(type),
                         {{"", std::string(type), 0, layout->size}},
                         layout->size,
                         layout->alignment};
}

std::optional<std::uint32_t> take_alignment(std::string_view& head) {
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

std::string with_bound_names(std::string_view text, const BoundNames& names) {
  std::string made;
  for (std::size_t i = 0; i < text.size();) {
    std::size_t end = i;
    while (end < text.size() && is_word(text[end])) ++end;
    const std::string_view word = text.substr(i, end - i);
    const auto bound = names.find(word);
    made += bound == names.end() ? word : std::string_view(bound->second);
    if (end < text.size()) made += text[end++];
    i = end;
  }
  return made;
}

std::string enumeration_type(std::string_view head) {
  const std::size_t colon = head.find(':');
  if (colon == head.npos) return "int";
  std::string_view type = trim(head.substr(colon + 1));
  if (type.starts_with("std::")) type.remove_prefix(5);
  return bare_type(type);
}

}  // namespace forewarp::input
