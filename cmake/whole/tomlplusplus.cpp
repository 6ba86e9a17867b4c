// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What toml++'s shared object holds.
#define TOML_IMPLEMENTATION
#include <toml++/toml.h>
