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
        call.operations = given.bytes;
        call.time = [bytes = given.bytes, sums = given.sums](const Gpu& gpu,
                                                             const LibraryTables& tables) {
          return model::vector_time(gpu, tables, bytes, sums);
        };
        call.compute = given.compute;
        return Status::success;
      });
  return blas_status(status);
}

std::function<std::complex<double>()> scalar_of(void* handle, const void* at, NumberType type) {
  const BlasHandle* const known = blas_handle(handle);
  if (known == nullptr || at == nullptr) return [] { return std::complex<double>(); };
  if (known->results_on_device) return [at, type] { return number_at(at, type, 0); };
  return [value = number_at(at, type, 0)] { return value; };
}

}  // namespace forewarp::cli
