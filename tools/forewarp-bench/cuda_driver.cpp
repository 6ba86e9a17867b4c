// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "cuda_driver.h"

namespace forewarp::cli {

Diagnostic driver_fault(const std::string& what, int code) {
  return {"--device", what + ": the driver answers " + std::to_string(code), "", ""};
}

BoardMonitor::BoardMonitor() : library_("libnvidia-ml.so.1") {}

void BoardMonitor::watch(const char* bus) {
  const bool found = library_.call("nvmlInit_v2") == 0 &&
                     library_.call("nvmlDeviceGetHandleByPciBusId_v2", bus, &board_) == 0;
  if (!found) board_ = nullptr;
}

std::optional<double> BoardMonitor::clock_mhz() const {
  constexpr int of_the_sms = 1;
  unsigned mhz = 0;
  if (board_ == nullptr || library_.call("nvmlDeviceGetClockInfo", board_, of_the_sms, &mhz) != 0) {
    return std::nullopt;
  }
  return mhz == 0 ? std::nullopt : std::optional<double>(mhz);
}

std::optional<double> BoardMonitor::power_w() const {
  unsigned milliwatts = 0;
  if (board_ == nullptr || library_.call("nvmlDeviceGetPowerUsage", board_, &milliwatts) != 0) {
    return std::nullopt;
  }
  return milliwatts / 1000.0;
}

}  // namespace forewarp::cli
