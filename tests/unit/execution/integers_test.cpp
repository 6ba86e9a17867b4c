// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Integer kernels against the same arithmetic in C++.
#include <array>
#include <numeric>

#include "differential.h"

namespace forewarp::tests {
namespace {

constexpr int count = 500;
constexpr std::size_t rows = count;
const Extent grid{4, 1, 1}, block{128, 1, 1};

class Integers : public Differential {};

using Word = std::uint32_t;
using Long = std::uint64_t;

template <class To, class From>
To as(From x) {
  return static_cast<To>(x);
}

TEST_P(Integers, Words) {
  Numbers numbers(3);
  const auto a = numbers.words<int>(rows), b = numbers.words<int>(rows);
  std::vector<int> expected;
  for (std::size_t i = 0; i < rows; ++i) {
    const int x = a[i], y = b[i];
    const Word u = as<Word>(x), v = as<Word>(y), k = as<Word>(i);
    const auto row =
        std::to_array<Word>({u + v,
                             u - v,
                             u * v,
                             u * v + k,
                             as<Word>(as<Long>(std::int64_t{x} * y) >> 32),
                             as<Word>(Long{u} * v >> 32),
                             y != 0 && y != -1 ? as<Word>(x / y) : 7,
                             y != 0 && y != -1 ? as<Word>(x % y) : 9,
                             v != 0 ? u / v : 7,
                             v != 0 ? u % v : 9,
                             as<Word>(std::min(x, y)),
                             std::max(u, v),
                             x < 0 ? 0 - u : u,
                             x < y ? 1U : 0U,
                             u < v ? u : ~v,
                             (x < y ? v - u : u - v) + u,
                             as<Word>(as<int>(u << 8) >> 8) * as<Word>(as<int>(v << 8) >> 8) +
                                 (u & 0xffffffU) * (v & 0xffffffU),
                             as<Word>(x / 7) + as<Word>(y % 10),
                             u / 100 + v % 3,
                             as<Word>(std::max(std::min(x, 255), 0))});
    for (const Word w : row) expected.push_back(as<int>(w));
  }
  KernelRun run = kernel("integers", "word_arithmetic");
  run.pass_buffer(a).pass_buffer(b).pass_buffer(std::vector<int>(20 * rows)).pass(count);
  if (runs(run, grid, block)) expect_equal(expected, run.result<int>(2), 20);
}

__extension__ using Wide = __int128;
__extension__ using UnsignedWide = unsigned __int128;

Long high_product(Long u, Long v) {
  return as<Long>(static_cast<UnsignedWide>(u) * v >> 64);
}

Long high_product_signed(std::int64_t x, std::int64_t y) {
  return as<Long>(static_cast<Wide>(x) * y >> 64);
}

TEST_P(Integers, Longs) {
  Numbers numbers(4);
  const auto a = numbers.words<std::int64_t>(rows), b = numbers.words<std::int64_t>(rows);
  std::vector<std::int64_t> expected;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::int64_t x = a[i], y = b[i];
    const Long u = as<Long>(x), v = as<Long>(y);
    const Long low = as<Long>(std::int64_t{as<int>(u)} * as<int>(v));
    const auto row = std::to_array<Long>(
        {u + v, u - v, u * v, high_product_signed(x, y), high_product(u, v),
         y != 0 && y != -1 ? as<Long>(x / y) : 5, y != 0 && y != -1 ? as<Long>(x % y) : 6,
         v != 0 ? u / v : 5, v != 0 ? u % v : 6, u << (v & 63), as<Long>(x >> (y & 63)),
         u >> (v & 63), as<Long>(std::min(x, y)), std::max(u, v), x == y ? 1U : (x > y ? 2U : 3U),
         low + u, (u & 0xffffffffU) * (v & 0xffffffffU) + v,
         0 - u + (y >= 0 ? u : as<Long>(-1) - v)});
    for (const Long w : row) expected.push_back(as<std::int64_t>(w));
  }
  KernelRun run = kernel("integers", "long_arithmetic");
  run.pass_buffer(a).pass_buffer(b).pass_buffer(std::vector<std::int64_t>(18 * rows)).pass(count);
  if (runs(run, grid, block)) expect_equal(expected, run.result<std::int64_t>(2), 18);
}

Word permuted(Word x, Word y, Word selector) {
  const Long pair = Long{y} << 32 | x;
  Word result = 0;
  for (unsigned k = 0; k < 4; ++k)
    result |= as<Word>(pair >> (8 * (selector >> (4 * k) & 7)) & 255) << (8 * k);
  return result;
}

Word reversed(Word x) {
  Word result = 0;
  for (unsigned k = 0; k < 32; ++k) result |= (x >> k & 1) << (31 - k);
  return result;
}

Word field(Word x, Word at, Word length, bool is_signed) {
  const Long wide = is_signed ? as<Long>(std::int64_t{as<int>(x)}) : x;
  if (length == 0) return 0;
  // PTX: the sign is that of the field's top bit, or of bit 31 when it reaches beyond.
  const Word top = std::min(at + length - 1, 31U);
  const Word part = as<Word>(wide >> at) & ((Word{1} << length) - 1);
  const bool negative = is_signed && (x >> top & 1) != 0;
  return negative ? part | ~((Word{1} << length) - 1) : part;
}

TEST_P(Integers, Bits) {
  Numbers numbers(5);
  const auto a = numbers.words<Word>(rows), b = numbers.words<Word>(rows);
  std::vector<Word> expected;
  for (std::size_t i = 0; i < rows; ++i) {
    const Word x = a[i], y = b[i], k = as<Word>(i);
    const Long pair = Long{y} << 32 | x, swapped = Long{x} << 32 | y;
    const Word at = y & 31, length = y >> 8 & 31;
    const Word mask = ((Word{1} << length) - 1) << at;
    const auto row = std::to_array<Word>({as<Word>(std::popcount(x)),
                                          as<Word>(std::countl_zero(x)),
                                          x == 0 ? 0 : as<Word>(std::countr_zero(x)) + 1,
                                          reversed(x),
                                          permuted(x, y, 0x5140),
                                          permuted(x, y, y & 0x7777),
                                          as<Word>(pair << (y & 31) >> 32),
                                          as<Word>(pair >> (x & 31)),
                                          as<Word>(pair << std::min(y & 63, 32U) >> 32),
                                          (x << (y & 31)) | (x >> ((32 - (y & 31)) % 32)),
                                          as<Word>(as<int>(x) >> (y & 31)),
                                          (x & y) ^ (x | ~y),
                                          field(x, at, length, false),
                                          field(x, at, length, true),
                                          (y & ~mask) | (x << at & mask),
                                          (x & 0x0ff0) | (y & ~0x0ff0U),
                                          (x >> 8 & 255) + (y >> 16 & 255),
                                          as<Word>(std::int8_t(x)) + as<Word>(std::int16_t(y)),
                                          as<Word>(std::popcount(swapped)),
                                          as<Word>(std::countl_zero(swapped)),
                                          x ^ y ^ (x >> 3),
                                          (x & y) | (x & k) | (y & k)});
    expected.insert(expected.end(), row.begin(), row.end());
  }
  KernelRun run = kernel("integers", "bits");
  run.pass_buffer(a).pass_buffer(b).pass_buffer(std::vector<Word>(22 * rows)).pass(count);
  if (runs(run, grid, block)) expect_equal(expected, run.result<Word>(2), 22);
}

TEST_P(Integers, NarrowTypes) {
  Numbers numbers(6);
  const auto c = numbers.words<std::int8_t>(rows);
  const auto s = numbers.words<std::uint16_t>(rows);
  std::vector<std::int16_t> products(rows);
  std::vector<std::uint8_t> sums(rows);
  for (std::size_t i = 0; i < rows; ++i) {
    products[i] = as<std::int16_t>(c[i] * s[i]);
    sums[i] = as<std::uint8_t>(c[i] + s[i]);
  }
  KernelRun run = kernel("integers", "narrow_types");
  run.pass_buffer(c).pass_buffer(s).pass_buffer(std::vector<std::int16_t>(rows));
  run.pass_buffer(std::vector<std::uint8_t>(rows)).pass(count);
  if (!runs(run, grid, block)) return;
  expect_equal(products, run.result<std::int16_t>(2));
  expect_equal(sums, run.result<std::uint8_t>(3));
}

TEST_P(Integers, Vectors) {
  Numbers numbers(7);
  const auto a = numbers.words<Word>(4 * rows);
  const auto c = numbers.words<std::uint8_t>(4 * rows);
  std::vector<Word> expected(a);
  for (std::size_t i = 0; i < rows; ++i) {
    expected[4 * i] += c[4 * i];
    expected[4 * i + 1] -= c[4 * i + 1];
    expected[4 * i + 2] ^= c[4 * i + 2];
    expected[4 * i + 3] *= c[4 * i + 3];
  }
  KernelRun run = kernel("integers", "vectors");
  run.pass_buffer(a).pass_buffer(c).pass_buffer(std::vector<Word>(4 * rows)).pass(count);
  if (runs(run, grid, block)) expect_equal(expected, run.result<Word>(2), 4);
}

TEST_P(Integers, CollatzTakesTheTripsOfTheData) {
  Numbers numbers(8);
  const auto start = numbers.integers(rows, 1, 3000);
  std::vector<int> steps;
  for (int x : start) {
    int n = 0;
    for (; x != 1; ++n) x = x % 2 == 0 ? x / 2 : 3 * x + 1;
    steps.push_back(n);
  }
  KernelRun run = kernel("integers", "collatz");
  run.pass_buffer(start).pass_buffer(std::vector<int>(rows)).pass(count);
  if (runs(run, grid, block)) expect_equal(steps, run.result<int>(1));
}

TEST_P(Integers, CommonDivisor) {
  Numbers numbers(9);
  const auto a = numbers.integers(rows, 1, 1 << 20), b = numbers.integers(rows, 0, 1 << 20);
  std::vector<int> expected;
  for (std::size_t i = 0; i < rows; ++i) expected.push_back(std::gcd(a[i], b[i]));
  KernelRun run = kernel("integers", "common_divisor");
  run.pass_buffer(a).pass_buffer(b).pass_buffer(std::vector<int>(rows)).pass(count);
  if (runs(run, grid, block)) expect_equal(expected, run.result<int>(2));
}

std::vector<Word> crc_table() {
  std::vector<Word> table(256);
  for (Word i = 0; i < 256; ++i) {
    Word x = i;
    for (int k = 0; k < 8; ++k) x = (x & 1) != 0 ? 0xedb88320U ^ x >> 1 : x >> 1;
    table[i] = x;
  }
  return table;
}

TEST_P(Integers, ChecksumFromConstantMemory) {
  constexpr std::size_t length = 13;
  Numbers numbers(10);
  const auto text = numbers.words<std::uint8_t>(length * rows);
  const auto table = crc_table();
  std::vector<Word> expected;
  for (std::size_t i = 0; i < rows; ++i) {
    Word crc = 0xffffffffU;
    for (std::size_t k = 0; k < length; ++k)
      crc = table[(crc ^ text[i * length + k]) & 255] ^ crc >> 8;
    expected.push_back(~crc);
  }
  KernelRun run = kernel("integers", "checksum");
  run.constants(table)
      .pass_buffer(text)
      .pass_buffer(std::vector<Word>(rows))
      .pass(int{length})
      .pass(count);
  if (runs(run, grid, block)) expect_equal(expected, run.result<Word>(1));
}

int chosen(int w, int i) {
  const Word k = as<Word>(i);
  Word r = k;
  switch (w) {
    case 0:
      return i * 3;
    case 1:
      r = k ^ 0x55;
      for (Word m = 0; m < (k & 7); ++m) r += m * r;
      return as<int>(r);
    case 2:
      return -i;
    case 3:
      return as<int>(k << 5) + i % 13;
    case 4:
      return i + i % 13;
    case 5:
      return i / 5 - 77;
    case 6:
      return (i + 3) * (i - 9);
    case 7:
      return std::popcount(k);
    default:
      return 1000;
  }
}

TEST_P(Integers, JumpTable) {
  Numbers numbers(11);
  const auto what = numbers.integers(rows, -1, 9);
  std::vector<int> expected;
  for (std::size_t i = 0; i < rows; ++i) expected.push_back(chosen(what[i], as<int>(i)));
  KernelRun run = kernel("integers", "choose");
  run.pass_buffer(what).pass_buffer(std::vector<int>(rows)).pass(count);
  if (runs(run, grid, block)) expect_equal(expected, run.result<int>(1));
}

int tangled(const std::vector<int>& data, std::size_t i) {
  int sum = 0;
  for (std::size_t k = 0; k < 20; ++k) {
    const int x = data[(i + k) % data.size()];
    if (x % 5 == 0) continue;
    if (x % 17 == 3) break;
    for (int m = 0; m < x % 4; ++m) {
      if ((x >> m & 1) != 0 && m == 2) break;
      sum += m * x + as<int>(k);
    }
    if (sum > 5000) return -sum;
  }
  return sum;
}

TEST_P(Integers, TangledControlFlow) {
  Numbers numbers(12);
  const auto data = numbers.integers(rows, 0, 900);
  std::vector<int> expected;
  for (std::size_t i = 0; i < rows; ++i) expected.push_back(tangled(data, i));
  KernelRun run = kernel("integers", "tangled");
  run.pass_buffer(data).pass_buffer(std::vector<int>(rows)).pass(count);
  if (runs(run, grid, block)) expect_equal(expected, run.result<int>(1));
}

TEST_P(Integers, Recursion) {
  Numbers numbers(13);
  const auto a = numbers.integers(rows, 0, 9);
  const auto fibonacci = std::to_array<int>({0, 1, 1, 2, 3, 5, 8, 13, 21, 34});
  std::vector<int> expected;
  for (const int x : a) expected.push_back(fibonacci[as<std::size_t>(x)]);
  KernelRun run = kernel("integers", "recursive");
  run.pass_buffer(a).pass_buffer(std::vector<int>(rows)).pass(count);
  if (runs(run, grid, block)) expect_equal(expected, run.result<int>(1));
}

TEST_P(Integers, LocalArraysAndCalls) {
  Numbers numbers(14);
  const auto a = numbers.integers(rows, -50, 50);
  std::vector<int> expected;
  for (std::size_t i = 0; i < rows; ++i) {
    std::array<Word, 32> slots{};
    for (Word k = 0; k < 32; ++k) slots[k] = k * as<Word>(a[i]);
    Word at = as<Word>(i) & 31, sum = 0;
    for (int k = 0; k < 10; ++k) {
      sum += slots[at];
      slots[(at + 5) & 31] ^= sum;
      at = (at * 7 + 3) & 31;
    }
    const Word twice = 2 * sum + 1;
    expected.push_back(as<int>(twice * twice));
  }
  KernelRun run = kernel("integers", "local_array");
  run.pass_buffer(a).pass_buffer(std::vector<int>(rows)).pass(count);
  if (runs(run, grid, block)) expect_equal(expected, run.result<int>(1));
}

TEST_P(Integers, DotProducts) {
  if (GetParam() < 61) GTEST_SKIP() << "not on this architecture (the instruction came with sm_61)";
  Numbers numbers(15);
  const auto a = numbers.words<int>(rows), b = numbers.words<int>(rows);
  std::vector<int> expected;
  for (std::size_t i = 0; i < rows; ++i) {
    Word plain = as<Word>(i), is_signed = as<Word>(i), pairs = as<Word>(i) * 2;
    for (int k = 0; k < 4; ++k) {
      const auto x = as<std::uint8_t>(a[i] >> (8 * k)), y = as<std::uint8_t>(b[i] >> (8 * k));
      plain += as<Word>(x * y);
      is_signed += as<Word>(as<std::int8_t>(x) * as<std::int8_t>(y));
      pairs += as<Word>(as<std::int16_t>(a[i] >> (16 * (k % 2))) * as<std::int8_t>(y));
    }
    expected.push_back(as<int>(is_signed));
    expected.push_back(as<int>(plain));
    expected.push_back(as<int>(pairs));
  }
  KernelRun run = kernel("integers", "dot_products");
  run.pass_buffer(a).pass_buffer(b).pass_buffer(std::vector<int>(3 * rows)).pass(count);
  if (runs(run, grid, block)) expect_equal(expected, run.result<int>(2), 3);
}

INSTANTIATE_TEST_SUITE_P(Families, Integers, ::testing::ValuesIn(fixture_architectures()),
                         architecture_name);

}  // namespace
}  // namespace forewarp::tests
