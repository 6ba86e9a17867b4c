// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "kernel_builder.h"

#include <algorithm>

#include <gtest/gtest.h>

#include "base/file.h"
#include "base/text.h"
#include "input/sass/sass_reader.h"
#include "test_paths.h"

namespace forewarp::tests::testing {

std::vector<Kernel> kernels_of(const std::string& text) {
  std::vector<Kernel> kernels;
  SassReader reader(InputSource::of_text("test.sass", text));
  for (;;) {
    auto kernel = reader.next();
    if (!kernel) {
      ADD_FAILURE() << kernel.error().line();
      return kernels;
    }
    if (!*kernel) return kernels;
    kernels.push_back(std::move(**kernel));
  }
}

std::uint32_t address_at(std::uint32_t sm, std::uint32_t index) {
  if (sm >= 70) return index * 16;
  const std::uint32_t per_word = sm >= 50 ? 3 : 7;
  return (index / per_word * (per_word + 1) + index % per_word + 1) * 8;
}

Kernel kernel_from(std::uint32_t sm, std::initializer_list<std::string_view> lines) {
  return kernel_from(sm, std::vector<std::string>(lines.begin(), lines.end()));
}

Kernel kernel_from(std::uint32_t sm, std::span<const std::string> lines) {
  std::string head, body;
  std::uint32_t index = 0;
  for (const std::string_view line : lines) {
    if (line.starts_with("//")) {
      head += std::string(line) + "\n";
      continue;
    }
    body += "        /*" + hex(address_at(sm, index++), 4).substr(2) + "*/  " + std::string(line) +
            " ;\n";
  }
  std::vector<Kernel> kernels = kernels_of(head + "\n\tcode for sm_" + std::to_string(sm) +
                                           "\n\t\tFunction : k\n" + body + "\t\t..........\n");
  EXPECT_EQ(kernels.size(), 1U);
  return kernels.empty() ? Kernel{} : std::move(kernels.front());
}

std::string fixture_text(const std::string& name) {
  const auto text = read_file(std::string(FOREWARP_FIXTURES) + "/listings/" + name);
  EXPECT_TRUE(text.has_value()) << name;
  return text ? *text : std::string();
}

Kernel fixture(const std::string& name, const std::string& kernel) {
  for (Kernel& k : kernels_of(fixture_text(name))) {
    if (kernel.empty() || k.name == kernel) return std::move(k);
  }
  ADD_FAILURE() << "no kernel " << kernel << " in " << name;
  return {};
}

Arguments::Arguments(const Kernel& kernel) : kernel_(kernel) {
  std::size_t size = 0;
  for (const Parameter& p : kernel.parameters)
    size = std::max<std::size_t>(size, p.offset + p.size);
  bytes_.assign(size, 0);
  known_.assign(size, 0);
}

Arguments& Arguments::set(std::size_t index, std::int64_t value) {
  const Parameter& p = kernel_.parameters.at(index);
  for (std::uint32_t i = 0; i < p.size; ++i) {
    bytes_.at(p.offset + i) = static_cast<std::uint8_t>(value >> (8 * std::min(i, 7U)));
    known_.at(p.offset + i) = 1;
  }
  return *this;
}

Arguments& Arguments::set(std::string_view name, std::int64_t value) {
  for (std::size_t i = 0; i < kernel_.parameters.size(); ++i) {
    if (kernel_.parameters[i].name == name) return set(i, value);
  }
  ADD_FAILURE() << "no parameter " << name;
  return *this;
}

Binding Arguments::binding() const {
  Binding binding;
  binding.parameter_bytes = bytes_;
  binding.parameter_known = known_;
  return binding;
}

}  // namespace forewarp::tests::testing
