// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/cache/memory_cache.h"

namespace forewarp::base {

MemoryCache::Value MemoryCache::find_or_make(const std::string& key,
                                             const std::function<Made()>& make,
                                             OnFailure on_failure) {
  std::unique_lock lock(mutex_);
  const auto [found, fresh] = entries_.try_emplace(key);
  if (!fresh) {
    const std::shared_ptr<Entry> entry = found->second;
    if (entry->ready) {
      order_.splice(order_.begin(), order_, entry->place);
    } else {
      made_.wait(lock, [&] { return entry->ready; });
    }
    return entry->value;
  }
  const auto entry = std::make_shared<Entry>();
  found->second = entry;
  lock.unlock();
  try {
    Made made = make();
    const bool keep = made.value.has_value() || on_failure == OnFailure::keep;
    settle(key, entry, std::move(made), keep);
  } catch (...) {
    settle(key, entry, {Diagnostic{"", "it could not be made", "", ""}, 0}, false);
    throw;
  }
  return entry->value;
}

void MemoryCache::settle(const std::string& key, const std::shared_ptr<Entry>& entry, Made made,
                         bool keep) {
  const std::lock_guard lock(mutex_);
  entry->value = std::move(made.value);
  entry->bytes = made.bytes + 2 * key.size();
  entry->ready = true;
  made_.notify_all();
  const auto found = entries_.find(key);
  if (found == entries_.end() || found->second != entry) return;  // forgotten meanwhile
  if (!keep || entry->bytes > most_) {
    entries_.erase(found);
    return;
  }
  order_.push_front(key);
  entry->place = order_.begin();
  bytes_ += entry->bytes;
  while (bytes_ > most_) {
    const auto oldest = entries_.find(order_.back());
    bytes_ -= oldest->second->bytes;
    entries_.erase(oldest);
    order_.pop_back();
  }
}

void MemoryCache::forget(std::string_view kind, std::string_view prefix) {
  const std::string begin = std::string(kind) + '\n' + std::string(prefix);
  const std::lock_guard lock(mutex_);
  std::erase_if(entries_, [&](const auto& kept) {
    if (!kept.first.starts_with(begin)) return false;
    if (kept.second->ready) {
      bytes_ -= kept.second->bytes;
      order_.erase(kept.second->place);
    }
    return true;
  });
}

std::size_t MemoryCache::bytes() const {
  const std::lock_guard lock(mutex_);
  return bytes_;
}

std::size_t MemoryCache::count() const {
  const std::lock_guard lock(mutex_);
  return entries_.size();
}

}  // namespace forewarp::base
