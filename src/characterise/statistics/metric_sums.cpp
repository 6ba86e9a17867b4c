// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/statistics/metric_sums.h"

namespace forewarp::characterise {

const std::vector<MetricSum>& metric_sums() {
  static const std::vector<MetricSum> sums = {
      {"l2_read_sector_misses",
       {"l2_subp0_read_sector_misses", "l2_subp1_read_sector_misses", "l2_subp2_read_sector_misses",
        "l2_subp3_read_sector_misses"}},
      {"l2_read_transactions", {"l2_read_transactions"}},
      {"dram_read_transactions", {"dram_read_transactions"}},
      {"l2_l1_read_hit_sectors",
       {"l2_subp0_read_l1_hit_sectors", "l2_subp1_read_l1_hit_sectors",
        "l2_subp2_read_l1_hit_sectors", "l2_subp3_read_l1_hit_sectors"}},
      {"l2_l1_read_transactions",
       {"l2_subp0_read_l1_sector_queries", "l2_subp1_read_l1_sector_queries",
        "l2_subp2_read_l1_sector_queries", "l2_subp3_read_l1_sector_queries"}},
      {"local_load_transactions", {"local_load"}},
      {"l1_local_load_hit", {"l1_local_load_hit"}},
      {"l1_local_load_miss", {"l1_local_load_miss"}},
  };
  return sums;
}

}  // namespace forewarp::characterise
