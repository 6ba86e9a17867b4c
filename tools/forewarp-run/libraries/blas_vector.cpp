// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "blas_vector.h"

#include "model/library/library_time.h"

namespace forewarp::cli {

int do_vector(void* handle, VectorCall given) {
  const BlasHandle* const known = blas_handle(handle);
  if (known == nullptr) return blas::not_initialized;
  const bool to_host = given.result != nullptr && !known->results_on_device;
  const Status status =
      library_call(known->stream, to_host, [&](Machine& /*machine*/, LibraryCall& call) {
        call.function = given.function;
        call.shape = given.shape;
        call.uses = given.uses;
        if (given.result != nullptr && !to_host)
          call.uses.push_back({"result", address_of(given.result), given.result_bytes, true});
        for (const model::Pieces& pieces : given.moved)
          call.operations += pieces.count * pieces.bytes;
        call.time = [moved = given.moved, sums = given.sums](const Gpu& gpu,
                                                             const LibraryTables& tables) {
          double bytes = 0;
          for (const model::Pieces& pieces : moved) bytes += model::moved_bytes(gpu, pieces);
          return model::vector_time(gpu, tables, bytes, sums);
        };
        call.compute = given.compute;
        return Status::success;
      });
  return blas_status(status);
}

std::optional<int> refused(void* handle, std::initializer_list<const void*> scalars) {
  if (blas_handle(handle) == nullptr) return blas::not_initialized;
  for (const void* const scalar : scalars) {
    if (scalar == nullptr) return blas::invalid_value;
  }
  return std::nullopt;
}

bool is_zero(void* handle, const void* at, NumberType type) {
  const BlasHandle* const known = blas_handle(handle);
  return known != nullptr && !known->results_on_device && number_at(at, type, 0) == 0.0;
}

std::function<std::complex<double>()> scalar_of(void* handle, const void* at, NumberType type) {
  const BlasHandle* const known = blas_handle(handle);
  if (known == nullptr || at == nullptr) return [] { return std::complex<double>(); };
  if (known->results_on_device) return [at, type] { return number_at(at, type, 0); };
  return [value = number_at(at, type, 0)] { return value; };
}

}  // namespace forewarp::cli
