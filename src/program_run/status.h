// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>

namespace forewarp::program_run {

/// What a call of a program ends with. The numbers are those of CUDA's runtime; the driver
/// interface has the same ones for all that are used by both.
enum class Status : std::int32_t {
  success = 0,
  invalid_value = 1,
  memory_allocation = 2,
  initialization = 3,
  unloading = 4,
  invalid_configuration = 9,
  invalid_pitch = 12,
  invalid_symbol = 13,
  invalid_device_pointer = 17,
  invalid_texture = 18,
  invalid_channel = 20,
  invalid_surface = 37,
  invalid_copy_direction = 21,
  insufficient_driver = 35,
  missing_configuration = 52,
  invalid_device_function = 98,
  no_device = 100,
  invalid_device = 101,
  invalid_kernel_image = 200,
  invalid_context = 201,
  no_kernel_image = 209,
  unsupported_limit = 215,
  peer_unsupported = 217,
  file_not_found = 301,
  no_symbol = 500,
  invalid_handle = 400,
  illegal_state = 401,
  not_ready = 600,
  illegal_address = 700,
  launch_out_of_resources = 701,
  launch_timeout = 702,
  peer_already_enabled = 704,
  peer_not_enabled = 705,
  assertion = 710,
  host_memory_registered = 712,
  host_memory_not_registered = 713,
  illegal_instruction = 715,
  misaligned_address = 716,
  launch_failure = 719,
  cooperative_too_large = 720,
  not_supported = 801,
  capture_unsupported = 900,
  capture_invalidated = 901,
  capture_merge = 902,
  capture_unmatched = 903,
  capture_unjoined = 904,
  capture_isolation = 905,
  capture_implicit = 906,
  captured_event = 907,
  capture_wrong_thread = 908,
  graph_update_failure = 910,
  invalid_cluster_size = 912,
  unknown = 999,
};

}  // namespace forewarp::program_run
