// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "input/toolkit/structure_layout.h"

namespace forewarp::input {

/// The structures of a source with a plain layout: numbers, pointers, CUDA's vectors, arrays of
/// known length, other structures, and what they are called by `using`, typedef and enum. Templates
/// are laid out for the arguments asked for; methods are ignored. A member that is not understood
/// ends the fields; a union, and an array of more elements than fields are kept, is one field.
/// Left out: bases, virtual functions, partial specialisations, packed structures, code between #if
/// and #endif, and names that stand for several things.
class SourceStructures {
 public:
  SourceStructures() = default;
  explicit SourceStructures(std::string_view source);

  /// "Box", "Volume<float>" or "ns::Grid<double, 2>"; nullopt if it is no structure of the source.
  [[nodiscard]] std::optional<SourceStructure> find(const std::string& type) const;

  /// Of all that are no templates, each once, in the source's order.
  [[nodiscard]] std::vector<std::string> names() const;

 private:
  struct TemplateParameter {
    std::string name;
    std::string fallback;  ///< the default argument; empty without one
  };
  struct Declaration {
    std::string name;
    std::vector<TemplateParameter> parameters;
    std::string arguments;  ///< of a specialisation: "double,4"
    bool is_template = false;
    std::uint32_t alignment = 1;
    std::size_t body = 0, length = 0;  ///< in text_, between the braces
  };
  struct Search;

  [[nodiscard]] std::optional<Declaration> declaration_at(std::size_t at,
                                                          const std::vector<std::size_t>& behind);
  void add_alias(std::size_t at, std::string_view keyword);
  void add_namespace(std::string_view rest);
  [[nodiscard]] std::optional<SourceStructure> find(const std::string& type, Search& search) const;
  [[nodiscard]] std::optional<SourceStructure> laid_out(const Declaration& declaration,
                                                        std::string_view arguments,
                                                        Search& search) const;

  std::string text_;  ///< the source without comments and directives
  std::vector<Declaration> declarations_;
  std::map<std::string, std::string, std::less<>> aliases_;  ///< empty: ambiguous
  std::set<std::string, std::less<>> scopes_;                ///< namespaces and structures
  std::set<std::string, std::less<>> partial_;  ///< templates with partial specialisations
};

}  // namespace forewarp::input
