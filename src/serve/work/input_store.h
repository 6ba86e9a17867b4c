// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <mutex>
#include <string>

#include "base/expected.h"

namespace forewarp::serve {

/// Code that a request brought, or an example.
struct StoredInput {
  std::string id;    ///< of its name and content
  std::string name;  ///< under which workers and messages know it: ID/FILE
  std::string bytes;
  bool compiled = false;  ///< it needs a toolkit before it can be predicted
};

/// The newest inputs by name and content, as many as fit; older ones have to be sent again.
class InputStore {
 public:
  explicit InputStore(std::size_t most_bytes) : most_bytes_(most_bytes) {}

  /// `file_name` is for messages only; what is no plain name of a file is left out of it.
  Expected<std::shared_ptr<const StoredInput>> put(const std::string& file_name, std::string bytes);
  /// Null: it is not there.
  [[nodiscard]] std::shared_ptr<const StoredInput> find(const std::string& id);

 private:
  const std::size_t most_bytes_;
  std::mutex mutex_;
  std::list<std::shared_ptr<const StoredInput>> inputs_;  // newest first
  std::size_t bytes_ = 0;
};

}  // namespace forewarp::serve
