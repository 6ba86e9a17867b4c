// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
/// @file
/// What the shared library shows to other programs. Everything else in it is hidden.
#pragma once

#if defined(__GNUC__)
/// Of what the shared library shows.
#define FOREWARP_EXPORT __attribute__((visibility("default")))
#else
/// Of what the shared library shows.
#define FOREWARP_EXPORT
#endif

/// Programs write forewarp::Session. The library's own layers, which have types of the same names,
/// write forewarp::api::Session and are compiled with FOREWARP_LAYERS.
#if defined(FOREWARP_LAYERS)
#define FOREWARP_INLINE
#else
#define FOREWARP_INLINE inline
#endif
