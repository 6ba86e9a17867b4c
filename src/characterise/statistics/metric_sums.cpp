// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "characterise/statistics/metric_sums.h"

namespace forewarp::characterise {

const std::vector<MetricSum>& metric_sums() {
  static const std::vector<MetricSum> sums = {
      {"l2_read_sector_misses",
       "global",
       {"l2_subp0_read_sector_misses", "l2_subp1_read_sector_misses", "l2_subp2_read_sector_misses",
        "l2_subp3_read_sector_misses"}},
      {"l2_read_transactions", "global", {"l2_read_transactions"}},
      {"dram_read_transactions", "global", {"dram_read_transactions"}},
      {"dram_read_transactions", "local", {"dram_read_transactions"}},
      {"l2_read_sector_misses",
       "local",
       {"l2_subp0_read_sector_misses", "l2_subp1_read_sector_misses", "l2_subp2_read_sector_misses",
        "l2_subp3_read_sector_misses"}},
      {"l2_l1_read_hit_sectors",
       "local",
       {"l2_subp0_read_l1_hit_sectors", "l2_subp1_read_l1_hit_sectors",
        "l2_subp2_read_l1_hit_sectors", "l2_subp3_read_l1_hit_sectors"}},
      {"l2_l1_read_transactions",
       "local",
       {"l2_subp0_read_l1_sector_queries", "l2_subp1_read_l1_sector_queries",
        "l2_subp2_read_l1_sector_queries", "l2_subp3_read_l1_sector_queries"}},
      {"local_load_transactions", "local", {"local_load"}},
      {"l1_local_load_hit", "local", {"l1_local_load_hit"}},
      {"l1_local_load_miss", "local", {"l1_local_load_miss"}},
  };
  return sums;
}

}  // namespace forewarp::characterise
