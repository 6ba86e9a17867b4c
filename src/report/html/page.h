// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <vector>

#include "report/view.h"
#include "result/result.h"

namespace forewarp::report::html {

/// One self-contained page: no file, font or script from elsewhere, readable in light and dark mode
/// and in print, and on screens as narrow as a telephone's. One result: its head, cards and views.
/// Several: a table of what varies, the times as a plot, and the details of each while they are
/// few.
[[nodiscard]] std::string page(const std::vector<Result>& results,
                               const std::vector<const View*>& views);

/// Head, cards and views of one result, for use inside a page.
[[nodiscard]] std::string result_markup(const Result& result,
                                        const std::vector<const View*>& views);

/// Everything before and after the content of a page: its head with the style, and its end.
[[nodiscard]] std::string page_begin(const std::string& title);
[[nodiscard]] std::string page_end(bool sortable);

}  // namespace forewarp::report::html
