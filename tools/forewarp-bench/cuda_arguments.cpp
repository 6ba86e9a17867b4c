// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda_arguments.h"

#include <cstring>
#include <random>

#include "request/argument_text.h"

namespace forewarp::cli {
namespace {

/// Floats between two bounds, the same for the same seed.
std::vector<float> random_floats(const BufferContent& content, std::uint64_t bytes) {
  std::mt19937_64 draw(content.seed);
  std::uniform_real_distribution<float> between(static_cast<float>(content.low),
                                                static_cast<float>(content.high));
  std::vector<float> values(bytes / sizeof(float));
  for (float& value : values) value = between(draw);
  return values;
}

}  // namespace

CudaArguments::~CudaArguments() {
  for (std::size_t i = 0; i < bytes_.size(); ++i) {
    if (bytes_[i] > 0) driver_.call("cuMemFree_v2", words_[i]);
  }
}

Expected<void> CudaArguments::allocate(std::size_t argument, std::uint64_t bytes) {
  const int code =
      driver_.call("cuMemAlloc_v2", &words_[argument], static_cast<std::size_t>(bytes));
  if (code != 0) return driver_fault("no memory for " + std::to_string(bytes) + " bytes", code);
  bytes_[argument] = bytes;
  return {};
}

Expected<void> CudaArguments::fill(std::size_t argument, const std::string& text,
                                   const BufferContent& content) const {
  using Kind = BufferContent::Kind;
  const DeviceAddress buffer = words_[argument];
  const std::uint64_t bytes = bytes_[argument];
  int code = 0;
  const bool floats =
      content.kind == Kind::random && (content.type.empty() || content.type == "f32");
  if (content.kind == Kind::pointers) {
    const std::uint64_t count = bytes / sizeof(DeviceAddress);
    std::vector<DeviceAddress> words(count);
    for (std::uint64_t i = 0; i < count; ++i) {
      words[i] = buffer + (i + content.stride) % count * sizeof(DeviceAddress);
    }
    const void* from = words.data();
    code = driver_.call("cuMemcpyHtoD_v2", buffer, from, words.size() * sizeof(DeviceAddress));
  } else if (floats) {
    const std::vector<float> values = random_floats(content, bytes);
    const void* from = values.data();
    code = driver_.call("cuMemcpyHtoD_v2", buffer, from, values.size() * sizeof(float));
  } else if (content.kind == Kind::zeros || content.kind == Kind::unknown) {
    code = driver_.call("cuMemsetD8_v2", buffer, static_cast<unsigned char>(0),
                        static_cast<std::size_t>(bytes));
  } else {
    return Diagnostic{"args", "'" + text + "' cannot be filled on a GPU",
                      "buffer:BYTES, or :zeros, :random:SEED or :pointers:STRIDE behind it",
                      "--device forewarp:GPU rehearses it"};
  }
  return code == 0 ? Expected<void>() : driver_fault("a buffer cannot be filled", code);
}

Expected<void> CudaArguments::prepare(const std::vector<std::string>& texts) {
  words_.assign(texts.size(), 0);
  bytes_.assign(texts.size(), 0);
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const auto argument = parse_argument_value(texts[i], "args");
    if (!argument) return argument.error();
    places_.push_back(&words_[i]);
    if (argument->kind == Argument::Kind::buffer) {
      if (auto got = allocate(i, argument->buffer_bytes); !got) return got;
      if (auto filled = fill(i, texts[i], argument->content); !filled) return filled;
    } else if (argument->kind == Argument::Kind::floating && argument->type == "f32") {
      const auto value = static_cast<float>(argument->floating);
      std::memcpy(&words_[i], &value, sizeof value);
    } else if (argument->kind == Argument::Kind::floating) {
      std::memcpy(&words_[i], &argument->floating, sizeof argument->floating);
    } else {
      std::memcpy(&words_[i], &argument->integer, sizeof argument->integer);
    }
  }
  return {};
}

Expected<void> CudaArguments::read_back(std::size_t argument, void* to, std::size_t bytes) const {
  if (bytes == 0) return {};
  const int code = driver_.call("cuMemcpyDtoH_v2", to, words_[argument], bytes);
  return code == 0 ? Expected<void>() : driver_fault("a buffer cannot be read", code);
}

}  // namespace forewarp::cli
