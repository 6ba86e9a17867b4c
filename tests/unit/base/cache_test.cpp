// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Values by content: in memory and on disk, at most so many bytes, what was used last stays.
#include <atomic>
#include <chrono>
#include <filesystem>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include <gtest/gtest.h>

#include "base/cache/disk_cache.h"
#include "base/cache/memory_cache.h"

namespace forewarp::base {

/// A value of a stated size.
struct Sized {
  int number = 0;
  std::size_t bytes = 0;
};
std::size_t kept_bytes(const Sized& value) {
  return value.bytes;
}

}  // namespace forewarp::base

namespace forewarp::tests {
namespace {

using SharedSized = std::shared_ptr<const Sized>;

class InMemory : public testing::Test {
 protected:
  static constexpr std::size_t each = 100'000;
  // Three values and what their entries take, not four.
  MemoryCache cache{3 * each + each / 2};
  int made = 0;

  int get(const std::string& key, int number = 0, std::size_t bytes = each) {
    const auto value = cache.get<Sized>("sized", key, [&]() -> Expected<SharedSized> {
      ++made;
      return std::make_shared<const Sized>(Sized{number, bytes});
    });
    return (*value)->number;
  }
};

TEST_F(InMemory, EqualKeysAreMadeOnceAndKindsAreApart) {
  EXPECT_EQ(get("a", 1), 1);
  EXPECT_EQ(get("a", 2), 1);
  EXPECT_EQ(made, 1);
  const auto other = cache.get<Sized>("other", "a", [&]() -> Expected<SharedSized> {
    return std::make_shared<const Sized>(Sized{7, 1});
  });
  EXPECT_EQ((*other)->number, 7);
}

TEST_F(InMemory, WhatWasUsedLongestAgoGoesFirstByBytes) {
  for (const char* key : {"a", "b", "c"}) get(key);
  get("a");  // now b is the oldest
  get("d");
  EXPECT_EQ(made, 4);
  EXPECT_LE(cache.bytes(), 3 * each + each / 2);
  get("a");
  get("c");
  get("d");
  EXPECT_EQ(made, 4);
  get("b");
  EXPECT_EQ(made, 5);
}

TEST_F(InMemory, ALargeValueDrivesOutSeveralAndOneTooLargeIsNotKept) {
  for (const char* key : {"a", "b", "c"}) get(key);
  get("two", 0, 2 * each);
  EXPECT_EQ(cache.count(), 2U);  // c and the large one
  get("all", 5, 4 * each);
  EXPECT_EQ(cache.count(), 2U);
  EXPECT_EQ(get("all", 6, 4 * each), 6);
}

TEST_F(InMemory, WhatIsInUseOutlivesItsPlace) {
  const auto held = cache.get<Sized>("sized", "held", [&]() -> Expected<SharedSized> {
    return std::make_shared<const Sized>(Sized{42, each});
  });
  for (const char* key : {"a", "b", "c"}) get(key);
  EXPECT_EQ((*held)->number, 42);
}

TEST_F(InMemory, FailuresAreKeptWhereItIsAsked) {
  const auto fail = [&](OnFailure on_failure) {
    return cache.get<Sized>(
        "sized", "none",
        [&]() -> Expected<SharedSized> {
          ++made;
          return Diagnostic{"x", "is none", "", ""};
        },
        on_failure);
  };
  EXPECT_FALSE(fail(OnFailure::forget));
  EXPECT_FALSE(fail(OnFailure::forget));
  EXPECT_EQ(made, 2);
  EXPECT_FALSE(fail(OnFailure::keep));
  EXPECT_EQ(fail(OnFailure::keep).error().found, "is none");
  EXPECT_EQ(made, 3);
}

TEST_F(InMemory, ForgottenKeysAreMadeAnew) {
  get("file\none");
  get("file\ntwo");
  get("filed");
  cache.forget("sized", "file\n");
  EXPECT_EQ(cache.count(), 1U);
  get("filed");
  EXPECT_EQ(made, 3);
  get("file\none");
  EXPECT_EQ(made, 4);
}

TEST_F(InMemory, AnEmptyKeyIsNotKept) {
  get("");
  get("");
  EXPECT_EQ(made, 2);
  EXPECT_EQ(cache.count(), 0U);
}

// Eight threads ask for the same eight keys: each is made once.
TEST_F(InMemory, ThreadsWaitForTheSameKeyAndNotForOthers) {
  MemoryCache wide;
  std::atomic<int> makes{0}, now{0};
  const auto work = [&] {
    for (int key = 0; key < 8; ++key) {
      const auto value =
          wide.get<Sized>("sized", std::to_string(key), [&]() -> Expected<SharedSized> {
            ++makes;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
            return std::make_shared<const Sized>(Sized{key, 1});
          });
      ASSERT_TRUE(value);
      EXPECT_EQ((*value)->number, key);
    }
  };
  std::vector<std::thread> threads;
  for (int i = 0; i < 8; ++i) threads.emplace_back(work);
  for (std::thread& thread : threads) thread.join();
  EXPECT_EQ(makes, 8);
  // While one key is being made, another can be.
  std::thread slow([&] {
    static_cast<void>(wide.get<Sized>("slow", "a", [&]() -> Expected<SharedSized> {
      while (now < 1) std::this_thread::yield();
      return std::make_shared<const Sized>(Sized{1, 1});
    }));
  });
  static_cast<void>(wide.get<Sized>("slow", "b", [&]() -> Expected<SharedSized> {
    now = 1;  // the slow one ends only after this
    return std::make_shared<const Sized>(Sized{2, 1});
  }));
  slow.join();
}

class OnDisk : public testing::Test {
 protected:
  std::filesystem::path folder = std::filesystem::path(testing::TempDir()) / "forewarp-on-disk";
  DiskCache cache{folder, ".kept", 1000};
  void SetUp() override { std::filesystem::remove_all(folder); }
  void TearDown() override { std::filesystem::remove_all(folder); }
};

TEST_F(OnDisk, WhatIsStoredIsFound) {
  EXPECT_FALSE(cache.find("key"));
  cache.store("key", "one\ntwo\n");
  EXPECT_EQ(cache.find("key"), "one\ntwo\n");
  EXPECT_FALSE(cache.find("other"));
  cache.store("large", std::string(1001, 'x'));
  EXPECT_FALSE(cache.find("large"));
  const DiskCache none({}, ".kept", 1000);
  none.store("key", "body");
  EXPECT_FALSE(none.find("key"));
}

TEST_F(OnDisk, EveryDamageIsNoticed) {
  const std::string whole = sealed("some body of a file");
  ASSERT_EQ(unsealed(whole), "some body of a file");
  for (std::size_t at = 0; at < whole.size(); ++at) {
    std::string damaged = whole;
    damaged[at] = static_cast<char>(damaged[at] ^ 1);
    EXPECT_FALSE(unsealed(damaged)) << at;
    EXPECT_FALSE(unsealed(std::string_view(whole).substr(0, at))) << at;
  }
}

TEST_F(OnDisk, WhatWasReadLongestAgoGoesFirst) {
  const std::string body(500, 'x');
  const auto long_ago = std::filesystem::file_time_type::clock::now() - std::chrono::hours(9);
  for (int i = 0; i < 8; ++i) {
    cache.store(std::to_string(i), body);
    std::filesystem::last_write_time(folder / (std::to_string(i) + ".kept"),
                                     long_ago + std::chrono::minutes(i));
  }
  EXPECT_TRUE(cache.find("0"));  // read now: the oldest no more
  cache.trim(3 * sealed(body).size());
  EXPECT_TRUE(cache.find("0"));
  EXPECT_FALSE(cache.find("5"));
  EXPECT_TRUE(cache.find("6"));
  EXPECT_TRUE(cache.find("7"));
}

}  // namespace
}  // namespace forewarp::tests
