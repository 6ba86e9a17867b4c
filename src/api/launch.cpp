// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <algorithm>
#include <cctype>
#include <forewarp/launch.h>
#include <set>
#include <utility>

#include "api/options_read.h"
#include "api/state.h"
#include "base/sha256.h"
#include "request/argument_text.h"
#include "request/files/launch_file.h"

namespace forewarp::api {
namespace {

/// The argument of this name, or a new one: what is given twice counts as given last.
program::Argument& slot(std::vector<program::NamedArgument>& all, program::NamedArgument key) {
  const auto found = std::find_if(all.begin(), all.end(), [&](const auto& one) {
    return one.name == key.name && one.index == key.index;
  });
  if (found != all.end()) return found->value = {};
  return all.emplace_back(std::move(key)).value;
}

Expected<void> store(Launch::State& state, const ParameterKey& key, program::Argument value) {
  auto name = request::parse_argument_name(key.text(), "argument");
  if (!name) return error_of(std::move(name).error());
  slot(state.asked.request.launch.arguments, *std::move(name)) = std::move(value);
  return {};
}

Expected<void> store_text(Launch::State& state, const ParameterKey& key, std::string_view text) {
  auto value = request::parse_argument_value(text, "argument " + key.text());
  if (!value) return error_of(std::move(value).error());
  return store(state, key, *std::move(value));
}

Expected<void> set_option(Launch::State& state, std::string_view name, std::string_view text) {
  const auto row = option_row(name);
  if (!row) return row.error();
  if ((*row)->name == "launch") {
    auto read = request::read_launch_file(std::string(text));
    if (!read) return error_of(std::move(read).error());
    state.asked.request = *std::move(read);
    return {};
  }
  const request::OptionTarget into{state.asked.request, state.asked.options, state.asked.delivery};
  const auto done = (*row)->set(**row, text, name, into);
  if (!done) return error_of(done.error());
  return {};
}

}  // namespace

Launch::Launch() : state_(std::make_unique<State>()) {}
Launch::Launch(std::unique_ptr<State> state) : state_(std::move(state)) {}
Launch::Launch(const Launch& other) : state_(std::make_unique<State>(*other.state_)) {}
Launch::Launch(Launch&& other) noexcept = default;
Launch& Launch::operator=(const Launch& other) {
  if (this != &other) state_ = std::make_unique<State>(*other.state_);
  return *this;
}
Launch& Launch::operator=(Launch&& other) noexcept = default;
Launch::~Launch() = default;

Expected<Launch> Launch::from_file(const std::filesystem::path& file) {
  return guarded([&]() -> Expected<Launch> {
    auto read = request::read_launch_file(file);
    if (!read) return error_of(std::move(read).error());
    request::Asked asked;
    asked.request = *std::move(read);
    return Access::launch(std::move(asked));
  });
}

Launch& Launch::grid(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  if (x == 0 || y == 0 || z == 0) state_->keep(Error{"grid", "0 blocks", "at least 1", ""});
  state_->asked.request.launch.grid = {x, y, z};
  return *this;
}

Launch& Launch::block(std::uint32_t x, std::uint32_t y, std::uint32_t z) {
  if (x == 0 || y == 0 || z == 0) state_->keep(Error{"block", "0 threads", "at least 1", ""});
  state_->asked.request.launch.block = {x, y, z};
  return *this;
}

Launch& Launch::shared(std::uint32_t bytes) {
  state_->asked.request.launch.dynamic_shared = bytes;
  state_->asked.request.has_dynamic_shared = true;
  return *this;
}

Launch& Launch::whole(const ParameterKey& key, std::int64_t value, bool beyond_signed) {
  program::Argument argument;
  argument.integer = value;
  if (beyond_signed) argument.type = "u64";
  state_->keep(store(*state_, key, std::move(argument)));
  return *this;
}

Launch& Launch::floating(const ParameterKey& key, double value) {
  program::Argument argument;
  argument.kind = program::Argument::Kind::floating;
  argument.floating = value;
  state_->keep(store(*state_, key, std::move(argument)));
  return *this;
}

Launch& Launch::argument(const ParameterKey& key, std::string_view text) {
  state_->keep(guarded([&] { return store_text(*state_, key, text); }));
  return *this;
}

Launch& Launch::argument(const ParameterKey& key, std::span<const std::byte> bytes) {
  program::Argument argument;
  argument.kind = program::Argument::Kind::bytes;
  for (const std::byte byte : bytes) argument.bytes.push_back(std::to_integer<std::uint8_t>(byte));
  state_->keep(store(*state_, key, std::move(argument)));
  return *this;
}

Launch& Launch::buffer(const ParameterKey& key, std::uint64_t bytes, std::string_view content) {
  return argument(key, "buffer:" + std::to_string(bytes) + ":" + std::string(content));
}

Launch& Launch::buffer(const ParameterKey& key, std::span<const std::byte> contents) {
  constexpr std::size_t digits = 24;
  if (contents.empty()) {
    state_->keep(Error{"argument " + key.text(), "0 bytes of contents", "at least 1", ""});
    return *this;
  }
  const std::string_view text(reinterpret_cast<const char*>(contents.data()), contents.size());
  program::Argument argument;
  argument.kind = program::Argument::Kind::buffer;
  argument.buffer_bytes = contents.size();
  argument.bytes.assign(text.begin(), text.end());
  argument.content.kind = program::BufferContent::Kind::file;
  argument.content.path = "memory:" + base::sha256_of(text).substr(0, digits);
  state_->keep(store(*state_, key, std::move(argument)));
  return *this;
}

Launch& Launch::same_buffer(const ParameterKey& key, const ParameterKey& other) {
  return argument(key, "same:" + other.text());
}

Launch& Launch::constant(std::string_view name, std::string_view text) {
  return set("constant", std::string(name) + "=" + std::string(text));
}

Launch& Launch::set(std::string_view option, std::string_view text) {
  state_->keep(guarded([&] { return set_option(*state_, option, text); }));
  return *this;
}

std::optional<Error> Launch::error() const {
  return state_->error;
}

std::vector<std::pair<std::string, std::string>> Launch::options() const {
  std::vector<std::pair<std::string, std::string>> given;
  const request::Asked& asked = state_->asked;
  for (const Option& option : api::options()) {
    const auto row = option_row(option.name);
    for (std::string& text : (*row)->get({asked.request, asked.options, asked.delivery})) {
      given.emplace_back(option.name, std::move(text));
    }
  }
  return given;
}

std::uint64_t Launch::buffer_bytes() const {
  std::uint64_t bytes = 0;
  for (const program::NamedArgument& one : state_->asked.request.launch.arguments) {
    if (one.value.kind == program::Argument::Kind::buffer) bytes += one.value.buffer_bytes;
  }
  return bytes;
}

}  // namespace forewarp::api
