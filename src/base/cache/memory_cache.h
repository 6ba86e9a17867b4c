// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <condition_variable>
#include <cstddef>
#include <functional>
#include <list>
#include <memory>
#include <mutex>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "base/expected.h"

namespace forewarp::base {

/// What is kept of a failure: it is found again like a value, or made anew by the next who asks.
enum class OnFailure : bool { forget, keep };

/// Values by kind and content key, at most so many bytes of them; what was not asked for longest
/// goes first. Each value is made once: who asks for one that another thread is making waits for
/// it, and nobody else does. What is in use outlives its place in the cache. Thread safe.
class MemoryCache {
 public:
  static constexpr std::size_t usual_bytes = std::size_t{256} << 20;

  explicit MemoryCache(std::size_t most_bytes = usual_bytes) : most_(most_bytes) {}

  /// The value of this key, made by `make` () -> Expected<std::shared_ptr<const T>> if it is not
  /// here. Its size is `kept_bytes(const T&)`, found by T's namespace. With an empty key it is made
  /// and not kept.
  template <class T, class Make>
  Expected<std::shared_ptr<const T>> get(std::string_view kind, const std::string& key, Make make,
                                         OnFailure on_failure = OnFailure::forget) {
    if (key.empty()) return make();
    Value value = find_or_make(
        std::string(kind) + '\n' + key,
        [&]() -> Made {
          Expected<std::shared_ptr<const T>> made = make();
          if (!made) return {std::move(made).error(), least_bytes};
          const std::size_t bytes = kept_bytes(**made) + least_bytes;
          return {std::shared_ptr<const void>(*std::move(made)), bytes};
        },
        on_failure);
    if (!value) return std::move(value).error();
    return std::static_pointer_cast<const T>(*value);
  }

  /// Forgets all keys of a kind that begin so; what is being made of them is not kept.
  void forget(std::string_view kind, std::string_view prefix);

  [[nodiscard]] std::size_t bytes() const;
  [[nodiscard]] std::size_t count() const;

 private:
  static constexpr std::size_t least_bytes = 256;  ///< of an entry itself
  using Value = Expected<std::shared_ptr<const void>>;
  struct Made {
    Value value;
    std::size_t bytes = 0;
  };
  /// A value, or the place where those who wait for it find it.
  struct Entry {
    bool ready = false;
    Value value{std::shared_ptr<const void>()};
    std::size_t bytes = 0;
    std::list<std::string>::iterator place;  ///< in order_, once it is ready
  };

  Value find_or_make(const std::string& key, const std::function<Made()>& make,
                     OnFailure on_failure);
  void settle(const std::string& key, const std::shared_ptr<Entry>& entry, Made made, bool keep);

  const std::size_t most_;
  mutable std::mutex mutex_;  ///< never held while something is made
  std::condition_variable made_;
  std::unordered_map<std::string, std::shared_ptr<Entry>> entries_;
  std::list<std::string> order_;  ///< keys, the latest used first
  std::size_t bytes_ = 0;
};

}  // namespace forewarp::base
