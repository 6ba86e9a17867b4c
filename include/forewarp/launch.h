// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
/// @file
/// A launch: grid, block, arguments, and everything else that may be asked of a prediction.
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <forewarp/expected.h>
#include <forewarp/export.h>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace forewarp::FOREWARP_INLINE api {

/// A parameter's name, or its place, from 0.
class ParameterKey {
 public:
  ParameterKey(std::string_view name) : name_(name) {}    ///< by name    NOLINT
  ParameterKey(const std::string& name) : name_(name) {}  ///< by name    NOLINT
  ParameterKey(const char* name) : name_(name) {}         ///< by name    NOLINT
  /// By its place, from 0.
  template <std::integral T>
  ParameterKey(T place) : name_(std::to_string(place)) {}  // NOLINT

  /// The name, or the place in digits.
  [[nodiscard]] const std::string& text() const { return name_; }

 private:
  std::string name_;
};

/// A launch. A value: copies are apart from each other. Setters give the launch back, so that they
/// can be chained; one that is given what cannot be read keeps the first such error, which is then
/// that of every prediction (error()). One thread at a time may change a launch.
class Launch {
 public:
  struct State;  ///< what it holds; the library's own

  FOREWARP_EXPORT Launch();                                    ///< nothing is given yet
  FOREWARP_EXPORT Launch(const Launch& other);                 ///< a copy
  FOREWARP_EXPORT Launch(Launch&& other) noexcept;             ///< `other` may only be assigned to
  FOREWARP_EXPORT Launch& operator=(const Launch& other);      ///< a copy
  FOREWARP_EXPORT Launch& operator=(Launch&& other) noexcept;  ///< as the move
  FOREWARP_EXPORT ~Launch();                                   ///< frees it

  /// A launch file in TOML (docs/cases.md). Refused: what cannot be read, with its line and column.
  [[nodiscard]] static FOREWARP_EXPORT Expected<Launch> from_file(
      const std::filesystem::path& file);

  /// Blocks along x, y and z.
  FOREWARP_EXPORT Launch& grid(std::uint32_t x, std::uint32_t y = 1, std::uint32_t z = 1);
  /// Threads of a block along x, y and z.
  FOREWARP_EXPORT Launch& block(std::uint32_t x, std::uint32_t y = 1, std::uint32_t z = 1);
  /// Dynamic shared memory, bytes per block.
  FOREWARP_EXPORT Launch& shared(std::uint32_t bytes);

  /// An argument that is a whole number, which takes the parameter's type.
  template <std::integral T>
  requires(!std::same_as<T, bool>) Launch& argument(const ParameterKey& key, T value) {
    return whole(key, static_cast<std::int64_t>(value), std::cmp_greater(value, INT64_MAX));
  }
  /// An argument that is a floating number, which takes the parameter's type.
  template <std::floating_point T>
  Launch& argument(const ParameterKey& key, T value) {
    return floating(key, static_cast<double>(value));
  }
  /// An argument as --arg reads it: "f32:2.5", "hex:00ff", "buffer:4096:zeros", "same:1".
  FOREWARP_EXPORT Launch& argument(const ParameterKey& key, std::string_view text);
  /// An argument as the bytes that the kernel gets, lowest address first: a structure.
  FOREWARP_EXPORT Launch& argument(const ParameterKey& key, std::span<const std::byte> bytes);
  /// A buffer of so many bytes. `content`: what it holds before the launch, as --arg reads it:
  /// unknown, zeros, ones, iota, random:SEED[:LOW:HIGH], fill:V, file:PATH.
  FOREWARP_EXPORT Launch& buffer(const ParameterKey& key, std::uint64_t bytes,
                                 std::string_view content = "unknown");
  /// A buffer with these contents, which are copied once for each copy of the launch. In results it
  /// is file:memory:DIGEST, by its contents. Refused: none at all.
  FOREWARP_EXPORT Launch& buffer(const ParameterKey& key, std::span<const std::byte> contents);
  /// The buffer of another parameter.
  FOREWARP_EXPORT Launch& same_buffer(const ParameterKey& key, const ParameterKey& other);
  /// A variable of the module, by name, as --constant reads it.
  FOREWARP_EXPORT Launch& constant(std::string_view name, std::string_view text);

  /// Any option of a prediction (options.h, docs/options.md) by its name, - and _ alike, with the
  /// text that the command line takes: set("clock", "1253"), set("timing", "event"). An option
  /// that may be given several times adds to what is there.
  FOREWARP_EXPORT Launch& set(std::string_view option, std::string_view text);

  /// The first thing that could not be read; nothing: all could.
  [[nodiscard]] FOREWARP_EXPORT std::optional<Error> error() const;
  /// Every option that was given, by name, as texts that set() reads.
  [[nodiscard]] FOREWARP_EXPORT std::vector<std::pair<std::string, std::string>> options() const;
  /// Sum of the buffers' sizes, bytes; a buffer that two parameters share counts once.
  [[nodiscard]] FOREWARP_EXPORT std::uint64_t buffer_bytes() const;

 private:
  friend struct Access;
  explicit Launch(std::unique_ptr<State> state);
  FOREWARP_EXPORT Launch& whole(const ParameterKey& key, std::int64_t value, bool beyond_signed);
  FOREWARP_EXPORT Launch& floating(const ParameterKey& key, double value);
  std::unique_ptr<State> state_;
};

}  // namespace forewarp::FOREWARP_INLINEapi
