// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

namespace forewarp::base {

/// For a program whose answers allocate much, again and again: what is freed is kept for what comes
/// next, and a heap grows by much at once, unless the process may have little. Before the first
/// thread starts.
void keep_freed_memory();

/// Asks for large pages for the heap of the calling thread: an answer touches tens of megabytes for
/// the first time, and each page of 4 KiB among them is a fault that the system handles, a fifth of
/// a cold answer's time. What comes next from the first thread's begins with such a page. Advice:
/// where the system has none, or another allocator serves, nothing changes. After
/// keep_freed_memory().
void use_large_pages();

}  // namespace forewarp::base
