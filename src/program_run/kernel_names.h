// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <string>
#include <vector>

namespace forewarp::program_run {

/// Names for a table, in the order of the kernels': without namespaces, and of the arguments of
/// templates only those that tell the kernels apart, so that `ns::apply<A, ns::plus<int>>` beside
/// `ns::apply<A, ns::less<int>>` is `apply<plus>`. A name of more than `most` characters loses its
/// middle; names that are alike then are numbered.
[[nodiscard]] std::vector<std::string> short_names(const std::vector<std::string>& names,
                                                   std::size_t most);

}  // namespace forewarp::program_run
