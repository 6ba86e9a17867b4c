// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

/// Lacks its include on purpose: the check of headers must refuse it.
std::string not_alone();
