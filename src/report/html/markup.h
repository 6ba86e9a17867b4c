// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "report/content.h"

namespace forewarp::report::html {

/// The class that the style sheet has for a tone; empty for plain.
[[nodiscard]] std::string_view class_of(Tone tone);

/// A section with its head; `name` becomes the class view-NAME. On request, columns can be sorted
/// by their heads.
[[nodiscard]] std::string section_markup(const Section& section, std::string_view name,
                                         bool sortable = false);

/// Whether a section has nothing but empty tables and faint remarks.
[[nodiscard]] bool is_empty(const Section& section);

}  // namespace forewarp::report::html
