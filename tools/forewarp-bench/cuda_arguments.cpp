// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda_arguments.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <span>
#include <utility>

#include "execution/storage/buffer_content.h"
#include "request/argument_text.h"

namespace forewarp::cli {
namespace {

using Kind = BufferContent::Kind;
using program::TensorMap;

/// CUtensorMapDataType of the driver's interface; nullopt: it has none.
std::optional<std::uint32_t> map_type(std::string_view type) {
  constexpr std::pair<std::string_view, std::uint32_t> types[] = {
      {"u8", 0},  {"u16", 1}, {"u32", 2}, {"i32", 3}, {"u64", 4},
      {"i64", 5}, {"f16", 6}, {"f32", 7}, {"f64", 8}, {"bf16", 9}};
  const auto* const found =
      std::ranges::find(types, type, [](const auto& entry) { return entry.first; });
  if (found == std::end(types)) return std::nullopt;
  return found->second;
}

/// Bytes of a buffer that are drawn; those of a map, which may have gigabytes, are repeated.
std::size_t most_of(const execution::ExecutionBuffer& buffer) {
  constexpr std::size_t piece = std::size_t{4} << 20U;
  const bool of_argument = buffer.name.find_first_not_of("0123456789") == std::string::npos;
  return of_argument ? buffer.bytes : piece;
}

/// Words between the slots of a chain point to the next ones, too: a load from there is no fault.
void point_on(const execution::ExecutionBuffer& buffer, std::span<std::uint8_t> bytes) {
  const std::size_t count = bytes.size() / sizeof(std::uint64_t);
  for (std::size_t i = 0; i < count; ++i) {
    std::uint8_t* const place = bytes.data() + i * sizeof(std::uint64_t);
    std::uint64_t word = 0;
    std::memcpy(&word, place, sizeof word);
    if (word != 0) continue;
    word = buffer.address + (i + buffer.content.stride) % count * sizeof word;
    std::memcpy(place, &word, sizeof word);
  }
}

}  // namespace

CudaArguments::~CudaArguments() {
  for (const auto& [name, buffer] : buffers_) {
    driver_.call("cuMemFree_v2", DeviceAddress{buffer.address});
  }
  for (const auto& [name, kept] : kept_) driver_.call("cuMemFree_v2", kept);
}

Expected<void> CudaArguments::allocate(const std::string& name, std::uint64_t bytes,
                                       const BufferContent& content) {
  DeviceAddress address = 0;
  const int code = driver_.call("cuMemAlloc_v2", &address, static_cast<std::size_t>(bytes));
  if (code != 0) return driver_fault("no memory for " + std::to_string(bytes) + " bytes", code);
  execution::ExecutionBuffer& buffer = buffers_[name];
  buffer.name = name;
  buffer.address = address;
  buffer.bytes = bytes;
  buffer.content = content;
  return fill(buffer);
}

Expected<void> CudaArguments::keep() {
  for (const auto& [name, buffer] : buffers_) {
    const DeviceAddress from{buffer.address};
    const std::size_t bytes{buffer.bytes};
    DeviceAddress& kept = kept_[name];
    int code = driver_.call("cuMemAlloc_v2", &kept, bytes);
    if (code == 0) code = driver_.call("cuMemcpyDtoD_v2", kept, from, bytes);
    if (code != 0) return driver_fault("no memory for the contents of buffers", code);
  }
  return {};
}

Expected<void> CudaArguments::restore() const {
  for (const auto& [name, kept] : kept_) {
    const execution::ExecutionBuffer& buffer = buffers_.at(name);
    const int code = driver_.call("cuMemcpyDtoD_v2", DeviceAddress{buffer.address}, kept,
                                  std::size_t{buffer.bytes});
    if (code != 0) return driver_fault("a buffer cannot be filled again", code);
  }
  return {};
}

Expected<void> CudaArguments::fill(const execution::ExecutionBuffer& buffer) const {
  const DeviceAddress to{buffer.address};
  const Kind kind = buffer.content.kind;
  int code = 0;
  if (kind == Kind::file) {
    return Diagnostic{"args", "a buffer cannot be filled from a file on a GPU", "another content",
                      "--device forewarp:GPU rehearses it"};
  }
  if (kind == Kind::zeros || kind == Kind::unknown) {
    code = driver_.call("cuMemsetD8_v2", to, static_cast<unsigned char>(0),
                        static_cast<std::size_t>(buffer.bytes));
  } else {
    const std::size_t written = std::min<std::size_t>(buffer.bytes, most_of(buffer));
    std::vector<std::uint8_t> bytes(written);
    execution::buffer_content(buffer, 0, bytes);
    if (kind == Kind::pointers) point_on(buffer, bytes);
    const void* from = bytes.data();
    code = driver_.call("cuMemcpyHtoD_v2", to, from, bytes.size());
    for (std::size_t done = written; code == 0 && done < buffer.bytes; done *= 2) {
      code = driver_.call("cuMemcpyDtoD_v2", to + done, to,
                          std::min<std::size_t>(done, buffer.bytes - done));
    }
  }
  return code == 0 ? Expected<void>() : driver_fault("a buffer cannot be filled", code);
}

Expected<void> CudaArguments::place_map(const request::TensorArgument& tensor,
                                        std::string_view type) {
  const TensorMap& map = tensor.map;
  const auto number = map_type(type);
  if (!number || !tensor.then.empty()) {
    return Diagnostic{"args", "a map of '" + std::string(type) + "' cannot be made on a GPU",
                      "u8, u16, u32, i32, u64, i64, f16, f32, f64 or bf16 and no then=", ""};
  }
  const std::string name =
      tensor.buffer.empty() ? "map" + std::to_string(places_.size()) : tensor.buffer;
  if (!buffers_.contains(name)) {
    BufferContent random;
    random.kind = Kind::random;
    random.low = -1;
    random.type = type;
    if (auto got = allocate(name, map.reach(), random); !got) return got;
  }
  if (map.reach() > buffers_[name].bytes) {
    return Diagnostic{"args", "a map reaches beyond the buffer '" + name + "'",
                      "the largest map of a buffer, or the buffer itself, first", ""};
  }
  if (map.pixels != 0)
    return Diagnostic{"args", "a tensor map of columns of pixels (im2col)", "one of boxes", ""};
  void* const array = reinterpret_cast<void*>(buffers_[name].address);
  const std::array<std::uint32_t, TensorMap::most_dimensions> each{1, 1, 1, 1, 1};
  const std::uint32_t swizzle = map.swizzle < 128 ? map.swizzle / 32 : 3;
  constexpr std::uint32_t not_interleaved = 0, promoted_to_128_bytes = 2;
  void* const into = &maps_.emplace_back();
  const int code =
      driver_.call("cuTensorMapEncodeTiled", into, *number, map.rank, array, map.size.data(),
                   map.stride.data() + 1, map.box.data(), each.data(), not_interleaved, swizzle,
                   promoted_to_128_bytes, std::uint32_t{map.fill_nan});
  places_.push_back(into);
  return code == 0 ? Expected<void>() : driver_fault("a tensor map cannot be made", code);
}

Expected<void> CudaArguments::place(const std::string& text, std::size_t argument) {
  const auto value = parse_argument_value(text, "args");
  if (!value) return value.error();
  if (request::is_tensor(*value)) {
    const std::string_view shape = request::tensor_text(*value);
    const auto tensor = request::parse_tensor(shape, "args");
    if (!tensor) return tensor.error();
    return place_map(*tensor, shape.substr(0, shape.find(':')));
  }
  std::uint64_t& word = words_.emplace_back(0);
  places_.push_back(&word);
  if (value->kind == Argument::Kind::buffer) {
    const std::string name = std::to_string(argument);
    if (auto got = allocate(name, value->buffer_bytes, value->content); !got) return got;
    word = buffers_[name].address;
  } else if (value->kind == Argument::Kind::floating && value->type == "f32") {
    const auto narrow = static_cast<float>(value->floating);
    std::memcpy(&word, &narrow, sizeof narrow);
  } else if (value->kind == Argument::Kind::floating) {
    std::memcpy(&word, &value->floating, sizeof value->floating);
  } else {
    std::memcpy(&word, &value->integer, sizeof value->integer);
  }
  return {};
}

Expected<void> CudaArguments::prepare(const std::vector<std::string>& texts) {
  for (std::size_t i = 0; i < texts.size(); ++i) {
    if (auto placed = place(texts[i], i); !placed) return placed;
  }
  return {};
}

Expected<void> CudaArguments::read_back(DeviceAddress from, void* to, std::size_t bytes) const {
  if (bytes == 0) return {};
  const int code = driver_.call("cuMemcpyDtoH_v2", to, from, bytes);
  return code == 0 ? Expected<void>() : driver_fault("a buffer cannot be read", code);
}

}  // namespace forewarp::cli
