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

constexpr std::size_t most_declarations = 1024, most_aliases = 1024;
constexpr std::size_t longest_head = 512, longest_body = 16384;         // characters
constexpr std::size_t most_read = std::size_t{1} << 20U, deepest = 16;  // of one search

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

bool all_words(std::string_view text) {
  return std::all_of(text.begin(), text.end(), is_word);
}

/// The words between the last statement and `at`.
std::string_view statement_before(std::string_view all, std::size_t at) {
  std::string_view before = all.substr(0, at);
  before = trim(before.substr(before.size() - std::min(before.size(), longest_head)));
  const std::size_t statement = before.find_last_of(";}");
  return statement == before.npos ? before : before.substr(statement + 1);
}

/// "<class T, int n = 4>" of the template that the declaration at `at` is; nullopt without one.
std::optional<std::string_view> template_list(std::string_view all, std::size_t at) {
  const std::string_view before = statement_before(all, at);
  if (!has_word(before, "template")) return std::nullopt;
  return trim(before.substr(before.rfind("template") + std::string_view("template").size()));
}

/// The text between the outer angle brackets; nullopt if there is more than that.
std::optional<std::string_view> inside_angles(std::string_view text) {
  if (!text.starts_with('<') || behind_closing(text, 0) != text.size()) return std::nullopt;
  return trim(text.substr(1, text.size() - 2));
}

/// Arguments of a template as they are compared: "float const *, 4" -> "float*,4".
std::vector<std::string> plain_arguments(std::string_view list) {
  std::vector<std::string> plain;
  for (const std::string_view one : split_outside_brackets(list)) plain.push_back(bare_type(one));
  return plain;
}

bool same_layout(const SourceStructure& a, const SourceStructure& b) {
  return a.size == b.size && a.complete == b.complete &&
         std::equal(a.fields.begin(), a.fields.end(), b.fields.begin(), b.fields.end(),
                    [](const auto& x, const auto& y) {
                      return x.name == y.name && x.type == y.type && x.offset == y.offset;
                    });
}

}  // namespace

/// What bounds one search, which hostile sources could make endless.
struct SourceStructures::Search {
  std::size_t characters = most_read;
  std::size_t depth = 0;
};

SourceStructures::SourceStructures(std::string_view source)
    : text_(declarations_of(source, Conditional::dropped)) {
  // What is packed has another layout than its members tell.
  if (source.find("pragma pack") != source.npos) return;
  const std::string_view all = text_;
  const std::vector<std::size_t> behind = behind_braces(all);
  for (std::size_t at = 0; at < all.size();) {
    if (!is_word(all[at])) {
      ++at;
      continue;
    }
    const std::string_view word = first_word(all.substr(at, longest_head));
    if (word == "struct" && declarations_.size() < most_declarations) {
      if (auto made = declaration_at(at, behind)) declarations_.push_back(std::move(*made));
    } else if (word == "using" || word == "typedef" || word == "enum") {
      if (aliases_.size() < most_aliases) add_alias(at, word);
    } else if (word == "namespace" && scopes_.size() < most_aliases) {
      add_namespace(trim(all.substr(at + word.size(), longest_head)));
    }
    at += std::max<std::size_t>(word.size(), 1);
  }
  for (const Declaration& one : declarations_) scopes_.insert(one.name);
}

/// "a::b {" of a namespace.
void SourceStructures::add_namespace(std::string_view rest) {
  for (;;) {
    const std::string_view name = first_word(rest);
    if (!name.empty()) scopes_.emplace(name);
    rest.remove_prefix(name.size());
    if (name.empty() || !rest.starts_with("::")) return;
    rest.remove_prefix(2);
  }
}

/// "using Real = float;", "typedef Volume<float> Grid;", "enum class Kind : char {"
void SourceStructures::add_alias(std::size_t at, std::string_view keyword) {
  const std::string_view all = text_;
  if (template_list(all, at)) return;
  const std::string_view rest = all.substr(at + keyword.size(), longest_head);
  const std::size_t end = rest.find_first_of("{;");
  if (end == rest.npos || (rest[end] == '{') != (keyword == "enum")) return;
  std::string_view declared = trim(rest.substr(0, end));
  std::string name, type;
  if (keyword == "enum") {
    for (const std::string_view word : {"class ", "struct "}) {
      if (declared.starts_with(word)) declared.remove_prefix(word.size());
    }
    name = first_word(declared);
    type = enumeration_type(declared);
  } else if (keyword == "using") {
    const std::size_t equal = declared.find('=');
    if (equal == declared.npos) return;
    name = trim(declared.substr(0, equal));
    type = bare_type(trim(declared.substr(equal + 1)));
  } else {
    name = word_before(declared);
    type = bare_type(trim(declared.substr(0, declared.size() - name.size())));
  }
  const bool plain = !name.empty() && !type.empty() && all_words(name) && name != type &&
                     type.find_first_of("([") == type.npos;
  if (!plain) return;
  const auto [known, added] = aliases_.emplace(name, type);
  if (!added && known->second != type) known->second.clear();
}

/// The structure declared by the keyword at `at`; nullopt if it is not plain data.
std::optional<SourceStructures::Declaration> SourceStructures::declaration_at(
    std::size_t at, const std::vector<std::size_t>& behind) {
  const std::string_view all = text_;
  const std::size_t begin = at + std::string_view("struct").size();
  const std::size_t length = all.substr(begin, longest_head).find_first_of("{;");
  if (length == all.npos || all[begin + length] == ';') return std::nullopt;
  const std::size_t open = begin + length, end = behind[open];
  std::string_view head = trim(all.substr(begin, length));
  const auto alignment = take_alignment(head);
  if (end == 0 || end - open > longest_body || !alignment) return std::nullopt;
  const std::string_view rest = all.substr(end, longest_head);
  const std::string_view declarators = trim(rest.substr(0, rest.find(';')));
  if (has_word(declarators, "__attribute__")) return std::nullopt;

  Declaration made;
  made.alignment = *alignment;
  made.body = open + 1;
  made.length = end - 1 - made.body;
  if (const auto list = template_list(all, at)) {
    const auto inside = inside_angles(*list);
    if (!inside || has_word(*inside, "template") || inside->find("...") != inside->npos) {
      return std::nullopt;
    }
    made.is_template = true;
    for (const std::string_view one : split_outside_brackets(*inside)) {
      const std::size_t equal = one.find('=');
      const std::string_view left = trim(one.substr(0, equal));
      const bool named = left.find(' ') != left.npos;  // "class" alone has no name
      made.parameters.push_back(
          {named ? std::string(word_before(left)) : "",
           equal == one.npos ? "" : std::string(trim(one.substr(equal + 1)))});
    }
  }
  if (const std::size_t angle = head.find('<'); made.is_template && angle != head.npos) {
    const auto inside = inside_angles(head.substr(angle));
    const std::string_view name = trim(head.substr(0, angle));
    if (!inside || !made.parameters.empty()) {
      partial_.emplace(name);
      return std::nullopt;
    }
    made.arguments = join(plain_arguments(*inside), ",");
    head = name;
  }
  made.name = head;
  if (trim(all.substr(at - std::min(at, longest_head), std::min(at, longest_head)))
          .ends_with("typedef")) {
    made.name = declarators;
  }
  if (made.name.empty() || !all_words(made.name) || !all_words(head)) return std::nullopt;
  return made;
}

std::vector<std::string> SourceStructures::names() const {
  std::vector<std::string> found;
  std::set<std::string_view> seen;
  for (const Declaration& one : declarations_) {
    if (!one.is_template && seen.insert(one.name).second) found.push_back(one.name);
  }
  return found;
}

std::optional<SourceStructure> SourceStructures::find(const std::string& type) const {
  Search search;
  auto found = find(bare_type(type), search);
  // The other name of a number is no structure.
  if (found && found->fields.front().name.empty()) return std::nullopt;
  return found;
}

std::optional<SourceStructure> SourceStructures::find(const std::string& type,
                                                      Search& search) const {
  const std::string_view whole = type;
  const std::size_t angle = whole.find('<');
  std::string_view path = whole.substr(0, angle);
  for (std::size_t colon = path.find("::"); colon != path.npos; colon = path.find("::")) {
    if (!scopes_.contains(path.substr(0, colon))) return std::nullopt;
    path.remove_prefix(colon + 2);
  }
  const std::string name(path);
  std::string arguments;
  if (angle != whole.npos) {
    const auto inside = inside_angles(trim(whole.substr(angle)));
    if (!inside || partial_.contains(name)) return std::nullopt;
    arguments = join(plain_arguments(*inside), ",");
  }
  if (search.depth >= deepest) return std::nullopt;
  ++search.depth;
  std::optional<SourceStructure> found;
  bool declared = false, ambiguous = false;
  const bool special =
      std::any_of(declarations_.begin(), declarations_.end(), [&](const auto& one) {
        return one.name == name && one.arguments == arguments && one.is_template &&
               one.parameters.empty();
      });
  for (const Declaration& one : declarations_) {
    const bool fits = one.name == name && one.is_template == (angle != whole.npos) &&
                      (!one.is_template || one.parameters.empty() == special) &&
                      (!special || one.arguments == arguments);
    if (!fits || ambiguous) continue;
    auto made = laid_out(one, arguments, search);
    ambiguous = !made || (declared && !same_layout(*found, *made));
    declared = true;
    found = std::move(made);
  }
  if (!declared && angle == whole.npos) {
    const auto alias = aliases_.find(name);
    if (alias != aliases_.end() && !alias->second.empty()) {
      const auto number = number_structure(alias->second);
      found = number ? number : find(alias->second, search);
    }
  }
  --search.depth;
  return ambiguous ? std::nullopt : found;
}

std::optional<SourceStructure> SourceStructures::laid_out(const Declaration& declaration,
                                                          std::string_view arguments,
                                                          Search& search) const {
  if (search.characters < declaration.length) return std::nullopt;
  search.characters -= declaration.length;
  BoundNames names;
  const std::vector<std::string> given = plain_arguments(arguments);
  if (!declaration.parameters.empty() && given.size() > declaration.parameters.size()) {
    return std::nullopt;
  }
  for (std::size_t i = 0; i < declaration.parameters.size(); ++i) {
    const TemplateParameter& parameter = declaration.parameters[i];
    const std::string value =
        i < given.size() ? given[i] : bare_type(with_bound_names(parameter.fallback, names));
    if (value.empty()) return std::nullopt;
    if (!parameter.name.empty()) names[parameter.name] = value;
  }
  const StructureText text{declaration.name, declaration.alignment,
                           std::string_view(text_).substr(declaration.body, declaration.length)};
  return lay_out(text, std::move(names),
                 [&](const std::string& type) { return find(type, search); });
}

}  // namespace forewarp::input
