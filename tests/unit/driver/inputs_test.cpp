// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <filesystem>
#include <string>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/file.h"
#include "driver/predictor.h"
#include "test_paths.h"

namespace forewarp::tests {
namespace {

namespace fs = std::filesystem;

/// Kernels of a board whose architecture the fixtures have.
class Inputs : public testing::Test {
 protected:
  Inputs() { fs::create_directories(folder_); }
  ~Inputs() override { fs::remove_all(folder_); }

  static std::string listing(const std::string& name) {
    return *base::read_file(fs::path(FOREWARP_FIXTURES) / "listings" / (name + ".sm_52.sass"));
  }
  std::string kernel_of(const std::string& input) {
    Case request;
    request.input = input;
    const auto gpu = predictor_.gpu("titanx", {});
    const auto loaded = predictor_.kernel(request, **gpu, {});
    return loaded ? loaded->kernel->name : loaded.error().line();
  }

  Predictor predictor_{HardwareDatabase(FOREWARP_DATA_DIR)};
  fs::path folder_ =
      fs::path(testing::TempDir()) / ("forewarp_inputs_" + std::to_string(::getpid()));
};

TEST_F(Inputs, CodeInMemoryIsReadByItsName) {
  predictor_.give_input("<code 1>", listing("copy"));
  EXPECT_EQ(kernel_of("<code 1>"), "copy");
  EXPECT_EQ(kernel_of("<code 2>"), "<code 2>: cannot be opened: No such file or directory");
}

TEST_F(Inputs, TheFirstOfANameStays) {
  predictor_.give_input("<code 1>", listing("copy"));
  predictor_.give_input("<code 1>", listing("vadd"));
  EXPECT_EQ(kernel_of("<code 1>"), "copy");
}

TEST_F(Inputs, AFileIsReadAgainOnceItIsForgotten) {
  const std::string file = folder_ / "k.sass";
  ASSERT_TRUE(base::write_file(file, listing("copy")));
  EXPECT_EQ(kernel_of(file), "copy");
  ASSERT_TRUE(base::write_file(file, listing("vadd")));
  EXPECT_EQ(kernel_of(file), "copy");
  predictor_.forget_input(file.substr(0, file.size() - 1));
  EXPECT_EQ(kernel_of(file), "copy");
  predictor_.forget_input(file);
  EXPECT_EQ(kernel_of(file), "vadd");
}

}  // namespace
}  // namespace forewarp::tests
