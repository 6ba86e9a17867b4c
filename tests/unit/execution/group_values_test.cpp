// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What warp groups compute: each form of their products, and attention made of them.
#include <cmath>

#include <gtest/gtest.h>

#include "execution/state/half_number.h"
#include "kernel_run.h"
#include "tensor_arguments.h"

namespace forewarp::tests {
namespace {

struct FormCase {
  const char* kernel;
  bool left_turned;  ///< a lies as 32 x 64
  double sign;
};

class WarpGroupForms : public ::testing::TestWithParam<FormCase> {};

/// Small numbers as halves: exact, as their products' sums.
std::uint16_t half(std::size_t of) {
  constexpr std::array<std::uint16_t, 4> numbers{0xc000, 0x3800, 0x3c00, 0x4200};  // -2 .5 1 3
  return numbers[of * 2654435761U >> 9 & 3U];
}
double half_number(std::uint16_t of) {
  return half_to_float(of);
}

// C (64 x 128) = A (64 x 32) B (32 x 128).
TEST_P(WarpGroupForms, ValuesOf) {
  constexpr std::size_t rows = 64, columns = 128, depth = 32;
  const FormCase form = GetParam();
  std::vector<std::uint16_t> a(rows * depth), b(depth * columns);
  for (std::size_t i = 0; i < a.size(); ++i) a[i] = half(i + 1);
  for (std::size_t i = 0; i < b.size(); ++i) b[i] = half(3 * i + 2);
  KernelRun run("../../validation/kernels/hopper_group_forms.sass", form.kernel);
  run.pass_buffer(a).pass_buffer(b).pass_buffer(std::vector<float>(rows * columns));
  const auto failure = run.run({1, 1, 1}, {128, 1, 1});
  ASSERT_FALSE(failure) << *failure;
  const auto c = run.result<float>(2);
  ASSERT_EQ(c.size(), rows * columns) << "a part of the result is unknown";
  for (std::size_t row = 0; row < rows; ++row) {
    for (std::size_t column = 0; column < columns; ++column) {
      double sum = 0;
      for (std::size_t k = 0; k < depth; ++k) {
        const std::size_t at = form.left_turned ? k * rows + row : row * depth + k;
        sum += half_number(a[at]) * half_number(b[k * columns + column]);
      }
      ASSERT_EQ(c[row * columns + column], form.sign * sum) << row << ' ' << column;
    }
  }
}

INSTANTIATE_TEST_SUITE_P(OfMatrices, WarpGroupForms,
                         ::testing::Values(FormCase{"registers_across", false, 1},
                                           FormCase{"registers_along", false, -1},
                                           FormCase{"shared_across", true, 1}),
                         [](const auto& of) { return std::string(of.param.kernel); });

/// A number of [-1, 1) with 8 bits behind the point: exact as a half.
std::uint16_t small_half(std::size_t of) {
  const auto number = static_cast<double>(of * 2654435761U >> 11 & 511U) / 256 - 1;
  return static_cast<std::uint16_t>(double_to_half(number));
}

struct Attention {
  std::size_t head, queries, keys, heads;
  std::vector<std::uint16_t> q, k, v;

  explicit Attention(std::size_t size, std::size_t of_queries, std::size_t of_keys)
      : head(size), queries(of_queries), keys(of_keys), heads(2) {
    for (std::size_t i = 0; i < heads * queries * head; ++i) q.push_back(small_half(i + 1));
    for (std::size_t i = 0; i < heads * keys * head; ++i) {
      k.push_back(small_half(5 * i + 2));
      v.push_back(small_half(7 * i + 3));
    }
  }

  /// The row of the result for a query, by the definition.
  [[nodiscard]] std::vector<double> row(std::size_t query, double scale) const {
    const std::size_t first = query / queries * keys;
    std::vector<double> weight(keys), out(head);
    double most = -INFINITY, sum = 0;
    for (std::size_t i = 0; i < keys; ++i) {
      for (std::size_t c = 0; c < head; ++c)
        weight[i] += half_number(q[query * head + c]) * half_number(k[(first + i) * head + c]);
      most = std::max(most, weight[i]);
    }
    for (double& w : weight) sum += w = std::exp2((w - most) * scale);
    for (std::size_t i = 0; i < keys; ++i) {
      for (std::size_t c = 0; c < head; ++c)
        out[c] += weight[i] / sum * half_number(v[(first + i) * head + c]);
    }
    return out;
  }
};

class AttentionValues : public ::testing::TestWithParam<std::size_t> {};

// Two heads, 128 queries, three tiles of 128 keys: both stages of the ring, and one again.
TEST_P(AttentionValues, EqualTheDefinition) {
  const std::size_t head = GetParam();
  const Attention of(head, 128, 384);
  const float scale = 0.25F;
  const std::string listing = "../../validation/kernels/hopper_attention.sass";
  const std::string kernel = "attention_" + std::to_string(head);
  KernelRun holder(listing, kernel), run(listing, kernel);
  holder.pass_buffer(of.q).pass_buffer(of.k).pass_buffer(of.v);
  holder.pass_buffer(std::vector<std::uint16_t>(of.q.size()));
  run.input().buffers = holder.input().buffers;
  run.pass(static_cast<std::int32_t>(of.queries)).pass(static_cast<std::int32_t>(of.keys));
  run.pass(scale);
  for (std::size_t i = 0; i < 3; ++i) {
    const std::size_t rows = of.heads * (i == 0 ? of.queries : of.keys);
    TensorMap map = map_over(run.input().buffers[i].address, static_cast<std::uint32_t>(head),
                             static_cast<std::uint32_t>(rows), 128);
    map.box = {64, 128};
    pass_map(run, map);
  }
  run.pass(run.input().buffers[3].address);
  const auto failure =
      run.run({1, 2, 1}, {384, 1, 1}, static_cast<std::uint32_t>(128 * head * 5 * 2 + 1024));
  ASSERT_FALSE(failure) << *failure;
  const auto out = run.result<std::uint16_t>(3);
  ASSERT_EQ(out.size(), of.q.size()) << "a part of the result is unknown";
  for (std::size_t query = 0; query < of.heads * of.queries; query += 5) {
    const auto row = of.row(query, scale);
    // The weights are rounded to halves (11 bits), and so is the result: of magnitudes below 1.
    for (std::size_t c = 0; c < head; ++c)
      ASSERT_NEAR(half_number(out[query * head + c]), row[c], 0.001) << query << ' ' << c;
  }
}

INSTANTIATE_TEST_SUITE_P(OfHeads, AttentionValues, ::testing::Values(64, 128));

}  // namespace
}  // namespace forewarp::tests
