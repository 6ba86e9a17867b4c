// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <string>

#include "model/library/product_time.h"
#include "number_types.h"

namespace forewarp::cli {

/// A matrix of a product, column by column; of a batch, matrices `stride` elements apart, or at the
/// addresses in an array on the device.
struct ProductMatrix {
  const void* at = nullptr;
  NumberType type = NumberType::f32;
  int rows = 0;  ///< between columns
  long long stride = 0;
  const void* const* array = nullptr;
};

/// C = alpha op(A) op(B) + beta C, `batch` times. Operations: 0 as it is, 1 transposed, 2 with
/// conjugates.
struct Product {
  std::string function, note;  ///< note: of types, where the function's name does not say them
  int op_a = 0, op_b = 0;
  int m = 0, n = 0, k = 0;
  ProductMatrix a, b, c;
  const void *alpha = nullptr, *beta = nullptr;
  NumberType scalar = NumberType::f32;  ///< of alpha and beta
  model::ProductShape::Type sums = model::ProductShape::Type::fp32;
  int batch = 1;
};

/// Does a product in the handle's stream; the status that cuBLAS returns.
int do_product(void* handle, const Product& product);

}  // namespace forewarp::cli
