// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string_view>

#include "serve/api/router.h"

namespace forewarp::serve {

/// A file of the page, compressed by gzip.
struct PageFile {
  std::string_view path, type, bytes;
};

/// The page's files by their paths, its first one also at "/"; without any, a page that says so.
void add_page(Router& router, std::span<const PageFile> files);

}  // namespace forewarp::serve
