// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

#include "report/content.h"

namespace forewarp::report {

/// A section as GitHub-flavoured markdown: a heading, then tables that can be pasted into an issue.
/// Bars are left out, as the share beside them says the same.
[[nodiscard]] std::string markdown(const Section& section);

/// `text` with all characters escaped that markdown would take as markup.
[[nodiscard]] std::string markdown_escaped(std::string_view text);

}  // namespace forewarp::report
