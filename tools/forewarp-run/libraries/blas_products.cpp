// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// cuBLAS: the functions for products of matrices, of all types, batched and strided.
#include "blas_handle.h"
#include "blas_product.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C

namespace {

using Sums = forewarp::model::ProductShape::Type;

Sums sums_of(NumberType type, const BlasHandle* handle) {
  switch (type) {
    case NumberType::f64:
    case NumberType::c64:
      return Sums::fp64;
    case NumberType::f16:
      return Sums::narrow_sums;
    default:
      return handle != nullptr && handle->tf32() ? Sums::tf32 : Sums::fp32;
  }
}

/// The matrices of one type; where they lie is filled in by the caller.
Product product_of(void* handle, const char* function, NumberType type) {
  Product p;
  p.function = function;
  p.scalar = p.a.type = p.b.type = p.c.type = type;
  p.sums = sums_of(type, blas_handle(handle));
  if (p.sums == Sums::tf32) p.note = "TF32";
  return p;
}

const char* type_name(NumberType type) {
  switch (type) {
    case NumberType::f16:
      return "FP16";
    case NumberType::bf16:
      return "BF16";
    case NumberType::f64:
      return "FP64";
    case NumberType::i8:
      return "INT8";
    case NumberType::i32:
      return "INT32";
    case NumberType::c32:
      return "complex FP32";
    case NumberType::c64:
      return "complex FP64";
    case NumberType::f32:
      break;
  }
  return "FP32";
}

/// Whether the library has products of these types, by the kind of their sums: A's and B's type,
/// which is one, and C's.
bool has_types(Sums sums, bool fast, NumberType inputs, NumberType result) {
  using N = NumberType;
  switch (sums) {
    case Sums::narrow_sums:
      return inputs == N::f16 && result == N::f16;
    case Sums::byte:
      return inputs == N::i8 && result == N::i32;
    case Sums::fp64:
      return inputs == result && (inputs == N::f64 || inputs == N::c64);
    default:
      break;
  }
  if (inputs == result && (inputs == N::f32 || inputs == N::c32)) return true;
  if (fast) return false;
  const bool short_one = inputs == N::f16 || inputs == N::bf16;
  return (short_one && (result == inputs || result == N::f32)) ||
         (inputs == N::i8 && result == N::f32);
}

/// Types of cublasGemmEx and its like: `compute` is a cublasComputeType_t, or the data type that
/// older programs pass.
bool take_types(Product& p, int a, int b, int c, int compute, const BlasHandle* handle) {
  constexpr int half = 64, half_pedantic = 65, single = 68, single_pedantic = 69, wide = 70,
                wide_pedantic = 71, integer = 72, integer_pedantic = 73, fast_half = 74,
                fast_bfloat = 75, fast_tf32 = 77;
  p.a.type = static_cast<NumberType>(a);
  p.b.type = static_cast<NumberType>(b);
  p.c.type = static_cast<NumberType>(c);
  const bool complex = is_complex(p.c.type);
  const bool short_inputs = p.a.type == NumberType::f16 || p.a.type == NumberType::bf16;
  Sums kind = Sums::fp32;  // of the sums, as has_types() takes it
  switch (compute) {
    case half:
    case half_pedantic:
    case static_cast<int>(NumberType::f16):
      p.scalar = NumberType::f16;
      kind = p.sums = Sums::narrow_sums;
      break;
    case wide:
    case wide_pedantic:
    case static_cast<int>(NumberType::f64):
    case static_cast<int>(NumberType::c64):
      p.scalar = complex ? NumberType::c64 : NumberType::f64;
      kind = p.sums = Sums::fp64;
      break;
    case integer:
    case integer_pedantic:
    case static_cast<int>(NumberType::i32):
      p.scalar = NumberType::i32;
      kind = p.sums = Sums::byte;
      break;
    case fast_half:
    case fast_bfloat:
      p.scalar = complex ? NumberType::c32 : NumberType::f32;
      p.sums = Sums::half;
      break;
    case fast_tf32:
    case single:
    case single_pedantic:
    case static_cast<int>(NumberType::f32):
    case static_cast<int>(NumberType::c32): {
      p.scalar = complex ? NumberType::c32 : NumberType::f32;
      const bool tf32 = compute == fast_tf32 || (handle != nullptr && handle->tf32());
      p.sums = short_inputs                         ? Sums::half
               : p.a.type == NumberType::i8         ? Sums::byte
               : tf32 && compute != single_pedantic ? Sums::tf32
                                                    : Sums::fp32;
      break;
    }
    default:
      return false;
  }
  const bool fast = compute == fast_half || compute == fast_bfloat || compute == fast_tf32;
  if (p.a.type != p.b.type || !has_types(kind, fast, p.a.type, p.c.type)) return false;
  p.note = std::string(type_name(p.a.type)) + " to " + type_name(p.c.type);
  if (p.sums == Sums::tf32) p.note += ", TF32";
  if (p.sums == Sums::narrow_sums) p.note += ", sums of FP16";
  if (compute == fast_half) p.note += ", by FP16";
  if (compute == fast_bfloat) p.note += ", by BF16";
  return true;
}

int with_types(void* handle, Product& p, int a, int b, int c, int compute) {
  if (take_types(p, a, b, c, compute, blas_handle(handle))) return do_product(handle, p);
  const std::string types = std::to_string(a) + ", " + std::to_string(b) + ", " + std::to_string(c);
  return unsupported_library(
      (p.function + " of types " + types + " with compute type " + std::to_string(compute)).c_str(),
      blas::not_supported);
}

void take_sizes(Product& p, int op_a, int op_b, int m, int n, int k, const void* alpha,
                const void* beta) {
  p.op_a = op_a;
  p.op_b = op_b;
  p.m = m;
  p.n = n;
  p.k = k;
  p.alpha = alpha;
  p.beta = beta;
}
void take_matrices(Product& p, const void* a, int lda, const void* b, int ldb, const void* c,
                   int ldc) {
  p.a.at = a;
  p.a.rows = lda;
  p.b.at = b;
  p.b.rows = ldb;
  p.c.at = c;
  p.c.rows = ldc;
}
void take_batch(Product& p, long long a, long long b, long long c, int batch) {
  p.a.stride = a;
  p.b.stride = b;
  p.c.stride = c;
  p.batch = batch;
}
void take_arrays(Product& p, const void* a, int lda, const void* b, int ldb, const void* c, int ldc,
                 int batch) {
  take_matrices(p, nullptr, lda, nullptr, ldb, nullptr, ldc);
  p.a.array = static_cast<const void* const*>(a);
  p.b.array = static_cast<const void* const*>(b);
  p.c.array = static_cast<const void* const*>(c);
  p.batch = batch;
}

}  // namespace

#define FOREWARP_GEMM(letter, T, type)                                                             \
  FOREWARP_EXPORT int cublas##letter##gemm_v2(void* handle, int op_a, int op_b, int m, int n,      \
                                              int k, const T* alpha, const T* a, int lda,          \
                                              const T* b, int ldb, const T* beta, T* c, int ldc) { \
    Product p = product_of(handle, "cublas" #letter "gemm", type);                                 \
    take_sizes(p, op_a, op_b, m, n, k, alpha, beta);                                               \
    take_matrices(p, a, lda, b, ldb, c, ldc);                                                      \
    return do_product(handle, p);                                                                  \
  }                                                                                                \
  FOREWARP_EXPORT int cublas##letter##gemmStridedBatched(                                          \
      void* handle, int op_a, int op_b, int m, int n, int k, const T* alpha, const T* a, int lda,  \
      long long stride_a, const T* b, int ldb, long long stride_b, const T* beta, T* c, int ldc,   \
      long long stride_c, int batch) {                                                             \
    Product p = product_of(handle, "cublas" #letter "gemmStridedBatched", type);                   \
    take_sizes(p, op_a, op_b, m, n, k, alpha, beta);                                               \
    take_matrices(p, a, lda, b, ldb, c, ldc);                                                      \
    take_batch(p, stride_a, stride_b, stride_c, batch);                                            \
    return do_product(handle, p);                                                                  \
  }                                                                                                \
  FOREWARP_EXPORT int cublas##letter##gemmBatched(                                                 \
      void* handle, int op_a, int op_b, int m, int n, int k, const T* alpha, const T* const* a,    \
      int lda, const T* const* b, int ldb, const T* beta, T* const* c, int ldc, int batch) {       \
    Product p = product_of(handle, "cublas" #letter "gemmBatched", type);                          \
    take_sizes(p, op_a, op_b, m, n, k, alpha, beta);                                               \
    take_arrays(p, a, lda, b, ldb, c, ldc, batch);                                                 \
    return do_product(handle, p);                                                                  \
  }

FOREWARP_GEMM(S, float, NumberType::f32)
FOREWARP_GEMM(D, double, NumberType::f64)
FOREWARP_GEMM(C, std::complex<float>, NumberType::c32)
FOREWARP_GEMM(Z, std::complex<double>, NumberType::c64)
#define cublasHgemm_v2 cublasHgemm  // the one without a version
FOREWARP_GEMM(H, Half, NumberType::f16)

FOREWARP_EXPORT int cublasGemmEx(void* handle, int op_a, int op_b, int m, int n, int k,
                                 const void* alpha, const void* a, int type_a, int lda,
                                 const void* b, int type_b, int ldb, const void* beta, void* c,
                                 int type_c, int ldc, int compute, int /*algorithm*/) {
  Product p;
  p.function = "cublasGemmEx";
  take_sizes(p, op_a, op_b, m, n, k, alpha, beta);
  take_matrices(p, a, lda, b, ldb, c, ldc);
  return with_types(handle, p, type_a, type_b, type_c, compute);
}
FOREWARP_EXPORT int cublasGemmStridedBatchedEx(void* handle, int op_a, int op_b, int m, int n,
                                               int k, const void* alpha, const void* a, int type_a,
                                               int lda, long long stride_a, const void* b,
                                               int type_b, int ldb, long long stride_b,
                                               const void* beta, void* c, int type_c, int ldc,
                                               long long stride_c, int batch, int compute,
                                               int /*algorithm*/) {
  Product p;
  p.function = "cublasGemmStridedBatchedEx";
  take_sizes(p, op_a, op_b, m, n, k, alpha, beta);
  take_matrices(p, a, lda, b, ldb, c, ldc);
  take_batch(p, stride_a, stride_b, stride_c, batch);
  return with_types(handle, p, type_a, type_b, type_c, compute);
}
FOREWARP_EXPORT int cublasGemmBatchedEx(void* handle, int op_a, int op_b, int m, int n, int k,
                                        const void* alpha, const void* const* a, int type_a,
                                        int lda, const void* const* b, int type_b, int ldb,
                                        const void* beta, void* const* c, int type_c, int ldc,
                                        int batch, int compute, int /*algorithm*/) {
  Product p;
  p.function = "cublasGemmBatchedEx";
  take_sizes(p, op_a, op_b, m, n, k, alpha, beta);
  take_arrays(p, a, lda, b, ldb, c, ldc, batch);
  return with_types(handle, p, type_a, type_b, type_c, compute);
}
FOREWARP_EXPORT int cublasSgemmEx(void* handle, int op_a, int op_b, int m, int n, int k,
                                  const float* alpha, const void* a, int type_a, int lda,
                                  const void* b, int type_b, int ldb, const float* beta, void* c,
                                  int type_c, int ldc) {
  Product p;
  p.function = "cublasSgemmEx";
  take_sizes(p, op_a, op_b, m, n, k, alpha, beta);
  take_matrices(p, a, lda, b, ldb, c, ldc);
  return with_types(handle, p, type_a, type_b, type_c, static_cast<int>(NumberType::f32));
}
