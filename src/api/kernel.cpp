// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <forewarp/kernel.h>
#include <utility>

#include "api/state.h"
#include "input/kernel_choice.h"
#include "input/kernel_matching.h"
#include "input/source.h"

namespace forewarp::api {
namespace {

KernelFacts facts_of(const program::Kernel& kernel) {
  KernelFacts facts;
  facts.name = kernel.name;
  facts.full_name = input::full_name(kernel.mangled);
  facts.mangled = kernel.mangled;
  facts.sm = kernel.sm;
  facts.instructions = kernel.instructions.size();
  facts.registers = kernel.resources.registers;
  facts.static_shared = kernel.resources.static_shared;
  for (const program::Parameter& one : kernel.parameters) {
    facts.parameters.push_back({one.name, one.type, one.size, one.pointer});
  }
  return facts;
}

Expected<std::vector<KernelFacts>> read_all(const input::InputSource& source,
                                            const input::ReadOptions& reading) {
  const auto stream = input::open_kernels(source, reading);
  if (!stream) return error_of(stream.error());
  std::vector<KernelFacts> all;
  for (;;) {
    const auto kernel = (*stream)->next();
    if (!kernel) return error_of(kernel.error());
    if (!*kernel) return all;
    all.push_back(facts_of(**kernel));
  }
}

}  // namespace

Kernel::Kernel() : state_(std::make_shared<const State>()) {}

const std::string& Kernel::input() const {
  return state_->input;
}

const std::string& Kernel::name() const {
  return state_->name;
}

const std::vector<std::string>& Kernel::compile_options() const {
  return state_->compile_options;
}

Kernel Kernel::named(std::string name) const {
  State other = *state_;
  other.name = std::move(name);
  return Access::kernel(std::move(other));
}

Expected<Kernel> Session::kernel(const std::filesystem::path& file, std::string name,
                                 std::vector<std::string> compile_options) const {
  return guarded([&]() -> Expected<Kernel> {
    std::error_code failure;
    const std::string path = file.string();
    if (path != "-" && !std::filesystem::exists(file, failure)) {
      return Error{path, "there is no such file",
                   "a SASS listing, .cubin, fatbin, executable, .ptx or .cu", ""};
    }
    state_->predictor.forget_input(path);
    const std::lock_guard lock(state_->mutex);
    ++state_->readings[path];
    return Access::kernel({path, std::move(name), std::move(compile_options), nullptr});
  });
}

Expected<Kernel> Session::kernel(std::span<const std::byte> code, std::string file_name,
                                 std::string name, std::vector<std::string> compile_options) const {
  return guarded([&]() -> Expected<Kernel> {
    auto copy = std::make_shared<std::string>(code.size(), '\0');
    std::transform(code.begin(), code.end(), copy->begin(),
                   [](std::byte byte) { return static_cast<char>(byte); });
    return Access::kernel(
        {std::move(file_name), std::move(name), std::move(compile_options), std::move(copy)});
  });
}

Expected<std::vector<KernelFacts>> Session::kernels(const Kernel& code, std::uint32_t sm,
                                                    const Launch& options) const {
  return guarded([&]() -> Expected<std::vector<KernelFacts>> {
    const auto ask = ask_of(*state_, code, "", {}, options);
    if (!ask) return ask.error();
    input::ReadOptions reading;
    reading.target_sm = sm;
    reading.toolkit = ask->options.toolkit;
    reading.assume_isa = ask->options.assume_isa;
    reading.compile_options = ask->request.compile_options;
    const Kernel::State& held = Access::of(code);
    if (held.code != nullptr) {
      return read_all(input::InputSource::of_text(held.input, *held.code), reading);
    }
    const auto source = input::InputSource::open(held.input);
    if (!source) return error_of(source.error());
    return read_all(*source, reading);
  });
}

}  // namespace forewarp::api
