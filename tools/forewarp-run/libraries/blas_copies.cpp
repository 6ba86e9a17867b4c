// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// cuBLAS: vectors and matrices between host and device.
#include "blas_handle.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C

namespace {

/// Copies `count` pieces of `width` bytes that lie `from_pitch` and `to_pitch` bytes apart.
struct PieceCopy {
  const void* from = nullptr;
  void* to = nullptr;
  std::uint64_t width = 0, count = 0, from_pitch = 0, to_pitch = 0;
};

int copy_pieces(const PieceCopy& copy, void* stream, bool asynchronous) {
  forewarp::program_run::CopyOrder order;
  order.to = address_of(copy.to);
  order.from = address_of(copy.from);
  order.width = copy.width;
  order.height = copy.count;
  order.to_pitch = copy.to_pitch;
  order.from_pitch = copy.from_pitch;
  order.stream = stream_of(stream);
  order.asynchronous = asynchronous;
  const Status status =
      run_call([&](Machine& machine) { return machine.copy(order, thread_state().device); });
  return status == Status::success         ? blas::success
         : status == Status::invalid_value ? blas::invalid_value
                                           : blas::execution_failed;
}

int copy_vector(int n, int bytes, const void* from, int from_step, void* to, int to_step,
                void* stream, bool asynchronous) {
  if (n < 0 || bytes <= 0 || from_step <= 0 || to_step <= 0) return blas::invalid_value;
  const auto size = static_cast<std::uint64_t>(bytes), count = static_cast<std::uint64_t>(n);
  PieceCopy copy{from,
                 to,
                 size,
                 count,
                 size * static_cast<std::uint64_t>(from_step),
                 size * static_cast<std::uint64_t>(to_step)};
  if (from_step == 1 && to_step == 1) {
    copy.width = size * count;
    copy.count = 1;
    copy.from_pitch = copy.to_pitch = copy.width;
  }
  return copy_pieces(copy, stream, asynchronous);
}

int copy_matrix(int rows, int columns, int bytes, const void* from, int from_rows, void* to,
                int to_rows, void* stream, bool asynchronous) {
  if (rows < 0 || columns < 0 || bytes <= 0 || from_rows < rows || to_rows < rows)
    return blas::invalid_value;
  const auto size = static_cast<std::uint64_t>(bytes);
  return copy_pieces(
      {from, to, size * static_cast<std::uint64_t>(rows), static_cast<std::uint64_t>(columns),
       size * static_cast<std::uint64_t>(from_rows), size * static_cast<std::uint64_t>(to_rows)},
      stream, asynchronous);
}

}  // namespace

FOREWARP_EXPORT int cublasSetVector(int n, int bytes, const void* from, int from_step, void* to,
                                    int to_step) {
  return copy_vector(n, bytes, from, from_step, to, to_step, nullptr, false);
}
FOREWARP_EXPORT int cublasGetVector(int n, int bytes, const void* from, int from_step, void* to,
                                    int to_step) {
  return copy_vector(n, bytes, from, from_step, to, to_step, nullptr, false);
}
FOREWARP_EXPORT int cublasSetVectorAsync(int n, int bytes, const void* from, int from_step,
                                         void* to, int to_step, void* stream) {
  return copy_vector(n, bytes, from, from_step, to, to_step, stream, true);
}
FOREWARP_EXPORT int cublasGetVectorAsync(int n, int bytes, const void* from, int from_step,
                                         void* to, int to_step, void* stream) {
  return copy_vector(n, bytes, from, from_step, to, to_step, stream, true);
}
FOREWARP_EXPORT int cublasSetMatrix(int rows, int columns, int bytes, const void* from,
                                    int from_rows, void* to, int to_rows) {
  return copy_matrix(rows, columns, bytes, from, from_rows, to, to_rows, nullptr, false);
}
FOREWARP_EXPORT int cublasGetMatrix(int rows, int columns, int bytes, const void* from,
                                    int from_rows, void* to, int to_rows) {
  return copy_matrix(rows, columns, bytes, from, from_rows, to, to_rows, nullptr, false);
}
FOREWARP_EXPORT int cublasSetMatrixAsync(int rows, int columns, int bytes, const void* from,
                                         int from_rows, void* to, int to_rows, void* stream) {
  return copy_matrix(rows, columns, bytes, from, from_rows, to, to_rows, stream, true);
}
FOREWARP_EXPORT int cublasGetMatrixAsync(int rows, int columns, int bytes, const void* from,
                                         int from_rows, void* to, int to_rows, void* stream) {
  return copy_matrix(rows, columns, bytes, from, from_rows, to, to_rows, stream, true);
}
