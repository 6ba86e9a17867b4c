// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// What calls take on the host.
#include "program_run/host_costs.h"

#include <gtest/gtest.h>

namespace forewarp::tests {
namespace {

using hardware::HostCall;
using program_run::HostCosts;
using program_run::MemoryKind;

hardware::Host host() {
  hardware::Host made;
  const auto set = [&](HostCall call) -> hardware::HostCallCost& {
    return made.calls[static_cast<std::size_t>(call)];
  };
  set(HostCall::asks).us = 0.5;
  set(HostCall::launch).us = 3;
  set(HostCall::first_of_module).us = 200;
  set(HostCall::first_of_kernel).us = 10;
  set(HostCall::fill).us = 4;
  set(HostCall::small_fill) = {1, 0, 4096, 0};
  set(HostCall::allocate).us = 1;
  set(HostCall::new_block) = {30, 10, 2000000, 0};
  set(HostCall::release).us = 1;
  set(HostCall::end_block).us = 20;
  set(HostCall::pool).us = 0.5;
  set(HostCall::first_of_pool).us = 8000;
  set(HostCall::grow_pool).us = 40;
  set(HostCall::instantiate) = {6, 0, 0, 0.5};
  set(HostCall::context).us = 100000;
  return made;
}

TEST(HostCosts, ACallThatChargesNothingAsks) {
  HostCosts costs(host());
  EXPECT_EQ(costs.take(), 500);
  costs.charge(HostCall::launch);
  EXPECT_EQ(costs.take(), 3000);
  EXPECT_EQ(costs.take(), 500);
  costs.charge(HostCall::instantiate, 0, 10);
  EXPECT_EQ(costs.take(), 11000);  // 6 + 10 * 0.5 us
  costs.charge_fill(4096);
  EXPECT_EQ(costs.take(), 1000);
  costs.charge_fill(4097);
  EXPECT_EQ(costs.take(), 4000);
}

TEST(HostCosts, AnOwnLaunchOfTheHostGoesFirst) {
  hardware::Host own = host();
  own.launch_call_us = 7;
  EXPECT_EQ(HostCosts(own).us(HostCall::launch), 7);
}

TEST(HostCosts, SmallMemoryComesFromBlocks) {
  HostCosts costs(host());
  const auto takes = [&](std::uint64_t bytes) {
    costs.allocated(MemoryKind::device, bytes);
    return costs.take();
  };
  const auto gives = [&](std::uint64_t bytes) {
    costs.freed(MemoryKind::device, bytes);
    return costs.take();
  };
  EXPECT_EQ(takes(1000000), 30000);     // a block
  EXPECT_EQ(takes(1000000), 1000);      // the rest of it
  EXPECT_EQ(takes(1000000), 30000);     // another block
  EXPECT_EQ(takes(12000000), 1030000);  // 30 us + 10 MB at 10 GB/s
  EXPECT_EQ(gives(12000000), 20000);
  EXPECT_EQ(gives(1000000), 1000);   // 4 MB are kept, 2 MB in use
  EXPECT_EQ(gives(1000000), 1000);   // 4 MB are kept, 1 MB in use
  EXPECT_EQ(gives(1000000), 20000);  // all is free: one block stays
  EXPECT_EQ(takes(1000000), 1000);
}

TEST(HostCosts, PoolsGrowAndAreTrimmed) {
  HostCosts costs(host());
  const auto takes = [&] {
    costs.allocated_in_stream(1000);
    return costs.take();
  };
  EXPECT_EQ(takes(), 8040500);
  costs.freed_in_stream(1000);
  EXPECT_EQ(costs.take(), 500);
  EXPECT_EQ(takes(), 500);
  costs.freed_in_stream(1000);
  costs.trim_pool();
  EXPECT_EQ(costs.take(), 500);
  EXPECT_EQ(takes(), 40500);
}

TEST(HostCosts, CodeIsLoadedAndTheContextMadeOnce) {
  HostCosts costs(host());
  const int module = 0, first = 0, second = 0;
  EXPECT_EQ(costs.loading_us(&module, &first), 210);
  EXPECT_EQ(costs.loading_us(&module, &first), 0);
  EXPECT_EQ(costs.loading_us(&module, &second), 10);
  EXPECT_EQ(costs.context_us(), 0);
  costs.charge(HostCall::launch);
  EXPECT_EQ(costs.context_us(), 100000);
  costs.charge(HostCall::launch);
  EXPECT_EQ(costs.context_us(), 0);
}

}  // namespace
}  // namespace forewarp::tests
