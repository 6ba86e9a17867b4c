// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "model/mwp_cwp_probabilistic/latency_distribution.h"

#include <algorithm>
#include <cmath>

namespace forewarp::model {
namespace {

/// Adds every way to distribute `left` draws over the values from `index` on.
void enumerate(std::span<const Atom> values, std::size_t index, int left, double sum,
               double probability, int draws, Atoms& means) {
  if (index + 1 == values.size()) {
    const double power = std::pow(values[index].probability, left);
    means.add((sum + left * values[index].value) / draws, probability * power);
    return;
  }
  double ways = 1;  // left over k, times p^k
  for (int k = 0; k <= left; ++k) {
    enumerate(values, index + 1, left - k, sum + k * values[index].value, probability * ways, draws,
              means);
    ways *= values[index].probability * (left - k) / (k + 1);
  }
}

}  // namespace

void Atoms::add(double value, double probability) {
  if (probability > 0 && size_ < most) atoms_[size_++] = {value, probability};
}

double Atoms::mean() const {
  if (size_ == 1) return atoms_[0].value;  // not a sum: exact
  double sum = 0;
  for (const Atom& atom : all()) sum += atom.value * atom.probability;
  return sum;
}

double Atoms::variance() const {
  if (size_ <= 1) return 0;
  const double middle = mean();
  double sum = 0;
  for (const Atom& atom : all()) {
    sum += atom.probability * (atom.value - middle) * (atom.value - middle);
  }
  return sum;
}

void Atoms::normalise() {
  const double middle = mean();
  for (std::size_t i = 0; i < size_; ++i) atoms_[i].value /= middle;
}

double Atoms::quantile(double share) {
  std::sort(atoms_.begin(), atoms_.begin() + static_cast<std::ptrdiff_t>(size_),
            [](const Atom& a, const Atom& b) { return a.value < b.value; });
  constexpr double rounding = 1e-12;
  double sum = 0;
  for (const Atom& atom : all()) {
    sum += atom.probability;
    if (sum >= share - rounding) return atom.value;
  }
  return size_ > 0 ? atoms_[size_ - 1].value : 0;
}

Atoms mean_of_draws(const Atoms& one, int draws) {
  if (one.all().size() <= 1 || draws <= 1) return one;
  Atoms means;
  enumerate(one.all(), 0, draws, 0, 1, draws, means);
  return means;
}

Atoms normal_mean(const Atoms& one, double draws) {
  Atoms means;
  const double middle = one.mean();
  const double deviation = std::sqrt(one.variance() / draws);
  if (deviation <= 0) {
    means.add(middle, 1);
    return means;
  }
  constexpr int each_side = 20;
  constexpr double reach = 4;
  double total = 0;
  for (int i = -each_side; i <= each_side; ++i) {
    const double z = reach * i / each_side;
    total += std::exp(-z * z / 2);
  }
  for (int i = -each_side; i <= each_side; ++i) {
    const double z = reach * i / each_side;
    means.add(middle + z * deviation, std::exp(-z * z / 2) / total);
  }
  return means;
}

}  // namespace forewarp::model
