// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>
#include <string_view>

namespace forewarp::input {

/// A cubin in which each kernel is complete, as a loader lays it out: the functions whose addresses
/// its code takes follow the code in the kernel's own section (separate compilation and debug
/// builds keep them in sections of their own), and those addresses stand in the code, counted from
/// the kernel's start. Empty: no kernel needs it, or the file is damaged; it is read as it is.
[[nodiscard]] std::string link_cubin(std::string_view bytes);

}  // namespace forewarp::input
