// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>

#include "serve/api/page_routes.h"

namespace forewarp::cli {

/// The files of the page that was built; none: it was not.
[[nodiscard]] std::span<const PageFile> page_files();

}  // namespace forewarp::cli
