// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// cuBLAS: products of matrices, by OpenBLAS.
#include "blas_product.h"

#include <algorithm>
#include <vector>

#include "blas_handle.h"
#include "host_blas.h"

namespace forewarp::cli {
namespace {

using program_run::LibraryUse;
using std::uint64_t;

constexpr int by_columns = 102, first_operation = 111;  // of the C interface of BLAS

struct MatrixSize {
  int rows = 0, columns = 0;
};
MatrixSize size_of_a(const Product& p) {
  return p.op_a == 0 ? MatrixSize{p.m, p.k} : MatrixSize{p.k, p.m};
}
MatrixSize size_of_b(const Product& p) {
  return p.op_b == 0 ? MatrixSize{p.k, p.n} : MatrixSize{p.n, p.k};
}

uint64_t elements(const ProductMatrix& matrix, MatrixSize size) {
  if (size.rows == 0 || size.columns == 0) return 0;
  return static_cast<uint64_t>(size.columns - 1) * static_cast<uint64_t>(matrix.rows) +
         static_cast<uint64_t>(size.rows);
}

const void* matrix_at(const ProductMatrix& matrix, int index) {
  if (matrix.array != nullptr) return matrix.array[index];
  const auto offset = matrix.stride * index * static_cast<long long>(bytes_of(matrix.type));
  return static_cast<const char*>(matrix.at) + offset;
}

/// What a matrix covers, of a batch within each allocation from where to where it reaches. Of one
/// whose addresses are on the device, the array itself.
void add_uses(Machine& machine, const std::string& name, const ProductMatrix& matrix,
              MatrixSize size, int batch, bool written, std::vector<LibraryUse>& uses) {
  const uint64_t bytes = elements(matrix, size) * bytes_of(matrix.type);
  if (matrix.array != nullptr) {
    uses.push_back({"array of " + name, address_of(matrix.array),
                    static_cast<uint64_t>(batch) * sizeof(void*), false});
    return;
  }
  const program_run::Allocation* last = nullptr;
  for (int i = 0; i < batch; ++i) {
    const uint64_t address = address_of(matrix_at(matrix, i));
    const auto* const at = machine.memory().find(address);
    if (at != nullptr && at == last) {
      LibraryUse& whole = uses.back();
      const uint64_t end = std::max(whole.address + whole.bytes, address + bytes);
      whole.address = std::min(whole.address, address);
      whole.bytes = end - whole.address;
    } else {
      uses.push_back({name, address, bytes, written});
    }
    last = at;
    if (matrix.stride == 0) break;
  }
}

/// The matrices of a batch whose addresses are on the device, as the arrays have them now.
void add_found(const std::string& name, const ProductMatrix& matrix, MatrixSize size, int batch,
               bool written, std::vector<LibraryUse>& uses) {
  if (matrix.array == nullptr) return;
  const uint64_t bytes = elements(matrix, size) * bytes_of(matrix.type);
  for (int i = 0; i < batch; ++i)
    uses.push_back({name, address_of(matrix.array[i]), bytes, written});
}

std::vector<double> doubles(const void* from, const ProductMatrix& matrix, MatrixSize size) {
  std::vector<double> made(elements(matrix, size));
  for (int column = 0; column < size.columns; ++column) {
    const uint64_t begin = static_cast<uint64_t>(column) * static_cast<uint64_t>(matrix.rows);
    for (uint64_t i = begin; i < begin + static_cast<uint64_t>(size.rows); ++i)
      made[i] = number_at(from, matrix.type, i).real();
  }
  return made;
}

/// One product of a batch.
class OneProduct {
 public:
  OneProduct(const HostBlas& blas, const Product& p) : blas_(blas), p_(p) {}

  void compute(int index) const {
    const void* const a = matrix_at(p_.a, index);
    const void* const b = matrix_at(p_.b, index);
    void* const c = const_cast<void*>(matrix_at(p_.c, index));  // NOLINT: the result
    const bool alike = p_.a.type == p_.b.type && p_.a.type == p_.c.type && p_.scalar == p_.c.type;
    if (!alike) return mixed(a, b, c);
    switch (p_.c.type) {
      case NumberType::f32:
        return blas_.sgemm(by_columns, op_a(), op_b(), p_.m, p_.n, p_.k, value<float>(p_.alpha),
                           static_cast<const float*>(a), p_.a.rows, static_cast<const float*>(b),
                           p_.b.rows, value<float>(p_.beta), static_cast<float*>(c), p_.c.rows);
      case NumberType::f64:
        return blas_.dgemm(by_columns, op_a(), op_b(), p_.m, p_.n, p_.k, value<double>(p_.alpha),
                           static_cast<const double*>(a), p_.a.rows, static_cast<const double*>(b),
                           p_.b.rows, value<double>(p_.beta), static_cast<double*>(c), p_.c.rows);
      case NumberType::c32:
      case NumberType::c64: {
        const auto function = p_.c.type == NumberType::c32 ? blas_.cgemm : blas_.zgemm;
        return function(by_columns, op_a(), op_b(), p_.m, p_.n, p_.k, p_.alpha, a, p_.a.rows, b,
                        p_.b.rows, p_.beta, c, p_.c.rows);
      }
      default:
        return mixed(a, b, c);
    }
  }

 private:
  template <class T>
  static T value(const void* scalar) {
    return *static_cast<const T*>(scalar);
  }
  [[nodiscard]] int op_a() const { return first_operation + p_.op_a; }
  [[nodiscard]] int op_b() const { return first_operation + p_.op_b; }

  /// By way of doubles, in which products of short types are exact.
  void mixed(const void* a, const void* b, void* c) const {
    const double alpha = number_at(p_.alpha, p_.scalar, 0).real();
    const double beta = number_at(p_.beta, p_.scalar, 0).real();
    const MatrixSize whole{p_.m, p_.n};
    const auto wide_a = doubles(a, p_.a, size_of_a(p_)), wide_b = doubles(b, p_.b, size_of_b(p_));
    std::vector<double> wide_c(elements(p_.c, whole));
    if (beta != 0) wide_c = doubles(c, p_.c, whole);
    blas_.dgemm(by_columns, op_a(), op_b(), p_.m, p_.n, p_.k, alpha, wide_a.data(), p_.a.rows,
                wide_b.data(), p_.b.rows, beta, wide_c.data(), p_.c.rows);
    for (int column = 0; column < p_.n; ++column) {
      const uint64_t begin = static_cast<uint64_t>(column) * static_cast<uint64_t>(p_.c.rows);
      for (uint64_t i = begin; i < begin + static_cast<uint64_t>(p_.m); ++i)
        put_number(c, p_.c.type, i, wide_c[i]);
    }
  }

  const HostBlas& blas_;
  const Product& p_;
};

bool is_valid(const Product& p) {
  const bool sizes = p.m >= 0 && p.n >= 0 && p.k >= 0 && p.batch >= 0;
  const bool operations = p.op_a >= 0 && p.op_a <= 2 && p.op_b >= 0 && p.op_b <= 2;
  return sizes && operations && p.alpha != nullptr && p.beta != nullptr &&
         p.a.rows >= std::max(1, size_of_a(p).rows) && p.b.rows >= std::max(1, size_of_b(p).rows) &&
         p.c.rows >= std::max(1, p.m);
}

model::ProductShape shape_of(const Product& p, bool reads_result) {
  model::ProductShape shape;
  shape.m = p.m;
  shape.n = p.n;
  shape.k = p.k;
  shape.batch = p.batch;
  shape.type = p.sums;
  shape.input_bytes = static_cast<double>(bytes_of(p.a.type));
  shape.output_bytes = static_cast<double>(bytes_of(p.c.type));
  constexpr double products_of_complex = 4;
  shape.complex_factor = is_complex(p.c.type) ? products_of_complex : 1;
  shape.reads_result = reads_result;
  return shape;
}

std::string shape_text(const Product& p) {
  std::string text = p.batch != 1 ? std::to_string(p.batch) + " of " : "";
  text += std::to_string(p.m) + "x" + std::to_string(p.n) + "x" + std::to_string(p.k);
  return p.note.empty() ? text : text + ", " + p.note;
}

/// alpha and beta as they are when the call is made; on the device, when it is done.
struct Scalars {
  bool on_device = false;
  std::complex<double> alpha, beta;
};

Scalars scalars_of(const Product& p, const BlasHandle& handle) {
  if (handle.results_on_device) return {true, 0, 0};
  return {false, number_at(p.alpha, p.scalar, 0), number_at(p.beta, p.scalar, 0)};
}

void compute(Product product, const Scalars& scalars, const HostBlas& host) {
  std::complex<double> alpha, beta;  // room for the widest scalar
  if (!scalars.on_device) {
    put_number(&alpha, product.scalar, 0, scalars.alpha);
    put_number(&beta, product.scalar, 0, scalars.beta);
    product.alpha = &alpha;
    product.beta = &beta;
  }
  const OneProduct one(host, product);
  for (int i = 0; i < product.batch; ++i) one.compute(i);
}

Status make_call(Machine& machine, const BlasHandle& handle, const Product& p, LibraryCall& call) {
  const auto host = host_blas(machine.settings().threads);
  if (!host) {
    machine.tell("error", host.error().line());
    return Status::not_supported;
  }
  call.function = p.function;
  call.shape = shape_text(p);
  add_uses(machine, "A", p.a, size_of_a(p), p.batch, false, call.uses);
  add_uses(machine, "B", p.b, size_of_b(p), p.batch, false, call.uses);
  add_uses(machine, "C", p.c, {p.m, p.n}, p.batch, true, call.uses);
  call.found = [p] {
    std::vector<LibraryUse> uses;
    add_found("A", p.a, size_of_a(p), p.batch, false, uses);
    add_found("B", p.b, size_of_b(p), p.batch, false, uses);
    add_found("C", p.c, {p.m, p.n}, p.batch, true, uses);
    return uses;
  };
  const Scalars scalars = scalars_of(p, handle);
  if (scalars.on_device) {
    call.uses.push_back({"alpha", address_of(p.alpha), bytes_of(p.scalar), false});
    call.uses.push_back({"beta", address_of(p.beta), bytes_of(p.scalar), false});
  }
  call.operations = static_cast<double>(p.m) * p.n * p.k * p.batch;
  const model::ProductShape shape = shape_of(p, scalars.on_device || scalars.beta != 0.0);
  call.time = [shape](const Gpu& gpu, const LibraryTables& tables) {
    return model::product_time(gpu, tables, shape);
  };
  call.compute = [p, scalars, blas = *host] { compute(p, scalars, *blas); };
  return Status::success;
}

}  // namespace

int do_product(void* handle, const Product& product) {
  const BlasHandle* const known = blas_handle(handle);
  if (known == nullptr) return blas::not_initialized;
  if (!is_valid(product)) return blas::invalid_value;
  for (const NumberType type : {product.a.type, product.b.type, product.c.type}) {
    if (bytes_of(type) == 0)
      return unsupported_library((product.function + " of this type").c_str(), blas::not_supported);
  }
  if (product.m == 0 || product.n == 0 || product.batch == 0) return blas::success;
  return blas_status(library_call(known->stream, false, [&](Machine& machine, LibraryCall& call) {
    return make_call(machine, *known, product, call);
  }));
}

}  // namespace forewarp::cli
