// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace forewarp::execution {

/// Where the executor places things in a thread's address space. None of this describes a device:
/// compiled code reads these addresses from constants and special registers.
namespace address_space {
inline constexpr std::uint64_t window_bytes = 0x0100'0000;
inline constexpr std::uint64_t shared_window = 0x0100'0000;  ///< generic address of shared byte 0
inline constexpr std::uint64_t local_window = 0x0200'0000;
/// From sm_90 on: the shared memory of a cluster. Code puts a block's number into the upper byte of
/// the low word, which is zero at the window's start.
inline constexpr std::uint64_t cluster_window = 0x1'0000'0000;
inline constexpr std::uint64_t cluster_window_bytes = 0x1'0000'0000;
/// Below it: module variables whose addresses a listing leaves open; their content is unknown.
inline constexpr std::uint64_t unresolved_bytes = 0x0010'0000;
inline constexpr std::uint32_t stack_top = 0x00ff'f000;  ///< local address at which stacks begin
/// Generic address of the first parameter, for tensor maps among the parameters.
inline constexpr std::uint64_t parameter_window = 0x0300'0000;
inline constexpr std::uint64_t parameter_window_bytes = 0x0000'8000;
/// Of the runtime for cooperative launches.
inline constexpr std::uint64_t workspace = 0x0400'0000;
inline constexpr std::uint64_t workspace_bytes = 4096;
inline constexpr std::uint32_t most_local_bytes = 512 * 1024;  ///< per thread
}  // namespace address_space

}  // namespace forewarp::execution
