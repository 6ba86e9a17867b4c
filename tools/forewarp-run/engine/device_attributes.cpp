// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "device_attributes.h"

#include <algorithm>
#include <array>
#include <cstdio>
#include <utility>

namespace forewarp::cli {
namespace {

// What the interface states alike for every board that runs today's code: sizes of its textures and
// surfaces (CUDA C++ Programming Guide, table of technical specifications, compute capability 5.0
// and later), and what is supported.
constexpr std::array<std::pair<int, int>, 59> common{{
    {9, 65536},      {11, 2147483647}, {14, 512},    {15, 1},       {17, 0},     {18, 0},
    {19, 1},         {20, 0},          {21, 131072}, {22, 131072},  {23, 65536}, {24, 16384},
    {25, 16384},     {26, 16384},      {27, 32768},  {28, 32768},   {29, 2048},  {30, 512},
    {31, 1},         {32, 0},          {34, 0},      {35, 0},       {40, 2},     {41, 1},
    {42, 32768},     {43, 2048},       {45, 32768},  {46, 32768},   {47, 8192},  {48, 8192},
    {49, 32768},     {50, 0},          {51, 32},     {52, 32768},   {53, 32768}, {54, 2046},
    {55, 32768},     {56, 131072},     {57, 65536},  {58, 16384},   {59, 16384}, {60, 16384},
    {69, 268435456}, {70, 131072},     {71, 65000},  {72, 2097120}, {73, 32768}, {74, 32768},
    {77, 32768},     {78, 1},          {79, 1},      {80, 1},       {83, 1},     {84, 0},
    {85, 0},         {90, 1},          {91, 1},      {95, 1},       {96, 0},
}};

constexpr double khz_per_mhz = 1000;

int whole(double value) {
  return static_cast<int>(value);
}

/// In kHz: a bus of N bits moves 2N bits per clock.
int memory_clock(const hardware::Gpu& gpu) {
  constexpr double bits_per_byte = 8, transfers = 2, khz_per_ghz = 1e6;
  const double bits = gpu.memory.bus_bits;
  return bits > 0 ? whole(gpu.memory.theory_gbs * bits_per_byte / bits / transfers * khz_per_ghz)
                  : 0;
}

std::optional<int> of_board(const hardware::Gpu& gpu, int attribute, int device) {
  const hardware::SmLimits& limits = gpu.limits;
  const auto number = [](std::uint32_t value) { return static_cast<int>(value); };
  switch (attribute) {
    case 1:
      return number(limits.threads_per_block);
    case 2:
    case 3:
    case 4:
      return number(limits.max_block[static_cast<std::size_t>(attribute - 2)]);
    case 5:
    case 6:
    case 7:
      return number(limits.max_grid[static_cast<std::size_t>(attribute - 5)]);
    case 8:
      return number(limits.shared_per_block);
    case 10:
      return number(limits.warp_lanes);
    case 12:
      return number(limits.registers_per_block);
    case 13:
      return whole(gpu.clock_boost_mhz * khz_per_mhz);
    case 16:
      return number(gpu.sms);
    case 33:
      return device + 1;
    case 36:
      return memory_clock(gpu);
    case 37:
      return whole(gpu.memory.bus_bits);
    case 38:
      return whole(gpu.l2.bytes);
    case 39:
      return number(limits.warps_per_sm * limits.warp_lanes);
    case 75:
      return number(static_cast<std::uint32_t>(gpu.cc.major));
    case 76:
      return number(static_cast<std::uint32_t>(gpu.cc.minor));
    case 81:
      return number(limits.shared_per_sm);
    case 82:
      return number(limits.registers_per_sm);
    case 87: {
      const auto single = gpu.classes.find("fp32"), twice = gpu.classes.find("fp64");
      if (single == gpu.classes.end() || twice == gpu.classes.end()) return 1;
      return single->second.cycles > 0 ? whole(twice->second.cycles / single->second.cycles) : 1;
    }
    case 89:
      return gpu.cc.major >= 6 ? 1 : 0;
    case 97:
      return number(limits.shared_per_block_optin);
    case 106:
      return number(limits.blocks_per_sm);
    case 111:
      return number(limits.shared_reserved);
    case 120:
      return gpu.cc.major >= 9 ? 1 : 0;
    default:
      return std::nullopt;
  }
}

}  // namespace

std::optional<int> device_attribute(const hardware::Gpu& gpu, int attribute, int device) {
  constexpr int last = 127;
  if (const auto own = of_board(gpu, attribute, device)) return own;
  for (const auto& [number, value] : common) {
    if (number == attribute) return value;
  }
  if (attribute < 1 || attribute > last) return std::nullopt;
  return attribute == 99 || attribute == 115 ? 1 : 0;  // registered memory and pools are supported
}

int greatest_priority(const hardware::Gpu& gpu) {
  // What programs printed of them: 0 to -5 on an A100 and on Turing (ExtremeFLOW/neko, pull request
  // 830), 0 to -2 on a GTX 1050 Ti (eyalroz/cuda-api-wrappers, issue 243). Volta is taken as
  // Turing; before Pascal nothing is known but that there are two.
  constexpr int since_volta = -5, of_pascal = -2, before = -1;
  return gpu.cc.major >= 7 ? since_volta : gpu.cc.major == 6 ? of_pascal : before;
}

void device_uuid(int device, char* uuid) {
  constexpr std::size_t bytes = 16;
  std::string text = "forewarp-" + std::to_string(device);
  text.resize(bytes);
  std::copy(text.begin(), text.end(), uuid);
}

std::string device_bus(int device) {
  char text[13];
  std::snprintf(text, sizeof text, "0000:%02x:00.0", device + 1);
  return text;
}

}  // namespace forewarp::cli
