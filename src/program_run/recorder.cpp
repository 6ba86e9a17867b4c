// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/recorder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "execution/storage/program_services.h"

namespace forewarp::program_run {
namespace {

constexpr std::uint64_t piece_bytes = 1 << 16;  // zeros of this size are not written

std::string hex_of(const std::vector<std::uint8_t>& bytes) {
  constexpr const char* digits = "0123456789abcdef";
  std::string text;
  text.reserve(2 * bytes.size());
  for (const std::uint8_t byte : bytes) {
    text += digits[byte >> 4U];
    text += digits[byte & 0xfU];
  }
  return text;
}

/// The textures of a program whose bytes lie in these buffers.
nlohmann::json textures_of(const execution::ExecutionInput& input) {
  nlohmann::json all = nlohmann::json::array();
  if (!input.services) return all;
  const std::map<std::uint32_t, execution::Texture> sorted(input.services->textures.begin(),
                                                           input.services->textures.end());
  for (const auto& [handle, texture] : sorted) {
    const bool held = std::any_of(
        input.buffers.begin(), input.buffers.end(), [&](const execution::ExecutionBuffer& buffer) {
          const std::uint64_t begin = texture.address - buffer.address;
          return begin < buffer.bytes && texture.bytes() <= buffer.bytes - begin;
        });
    if (!held || texture.bytes() == 0) continue;
    std::array<std::uint32_t, 4> border{};
    std::array<std::uint32_t, 3> modes{};
    for (std::size_t i = 0; i < 4; ++i) border[i] = std::bit_cast<std::uint32_t>(texture.border[i]);
    for (std::size_t i = 0; i < 3; ++i) modes[i] = static_cast<std::uint32_t>(texture.modes[i]);
    all.push_back({{"handle", handle},
                   {"address", texture.address},
                   {"width", texture.width},
                   {"height", texture.height},
                   {"depth", texture.depth},
                   {"pitch", texture.pitch},
                   {"slice", texture.slice},
                   {"bits", texture.bits},
                   {"kind", static_cast<std::uint32_t>(texture.kind)},
                   {"modes", modes},
                   {"border", border},
                   {"linear", texture.linear},
                   {"normalized", texture.normalized},
                   {"as_float", texture.as_float}});
  }
  return all;
}

bool write_sparse(const std::filesystem::path& path, const std::uint8_t* data,
                  std::uint64_t bytes) {
  const int file = ::open(path.c_str(), O_CREAT | O_TRUNC | O_WRONLY | O_CLOEXEC, 0666);
  if (file < 0) return false;
  bool good = ::ftruncate(file, static_cast<off_t>(bytes)) == 0;
  for (std::uint64_t at = 0; good && at < bytes; at += piece_bytes) {
    const std::uint64_t size = std::min(piece_bytes, bytes - at);
    const bool zeros = data[at] == 0 && std::memcmp(data + at, data + at + 1, size - 1) == 0;
    if (!zeros)
      good = ::pwrite(file, data + at, size, static_cast<off_t>(at)) == static_cast<ssize_t>(size);
  }
  ::close(file);
  return good;
}

}  // namespace

Expected<void> Recorder::open(const std::string& folder) {
  std::error_code failed;
  std::filesystem::create_directories(folder, failed);
  if (failed) return Diagnostic{folder, failed.message(), "a folder that can be made", ""};
  if (std::filesystem::exists(std::filesystem::path(folder) / "launches.jsonl", failed))
    return Diagnostic{folder, "holds a recording already", "a new folder", "--record another"};
  folder_ = folder;
  return {};
}

void Recorder::line(const std::string& text) {
  const std::string whole = text + "\n";
  const int file =
      ::open((folder_ / "launches.jsonl").c_str(), O_CREAT | O_APPEND | O_WRONLY | O_CLOEXEC, 0666);
  const bool good =
      file >= 0 && ::write(file, whole.data(), whole.size()) == static_cast<ssize_t>(whole.size());
  if (!good && failure_.empty())
    failure_ = (folder_ / "launches.jsonl").string() + ": " + std::strerror(errno);
  if (file >= 0) ::close(file);
}

std::string Recorder::module_file(const std::string& name, const std::string& bytes) {
  const auto [at, added] =
      modules_.try_emplace(name, "module-" + std::to_string(modules_.size() + 1));
  if (!added) return at->second;
  if (auto done = write_file((folder_ / at->second).string(), bytes); !done && failure_.empty())
    failure_ = done.error().line();
  return at->second;
}

std::string Recorder::content_file(const Allocation& allocation) {
  std::string name = fmt::format("content-{:016x}", DeviceMemory::content_of(allocation));
  if (!contents_.insert(name).second) return name;
  const auto* data = reinterpret_cast<const std::uint8_t*>(allocation.address);  // NOLINT
  if (!write_sparse(folder_ / name, data, allocation.bytes) && failure_.empty())
    failure_ = (folder_ / name).string() + ": " + std::strerror(errno);
  return name;
}

void Recorder::launch(std::uint64_t number, const LaunchOrder& order,
                      const execution::ExecutionInput& input, const DeviceMemory& memory,
                      const std::string& gpu) {
  using Json = nlohmann::json;
  const Function& function = *order.function;
  Json buffers = Json::array(), banks = Json::array(), parameters = Json::array();
  for (const Parameter& parameter : function.code.kernel->parameters) {
    const auto begin = order.parameters.begin() + parameter.offset;
    parameters.push_back(hex_of({begin, begin + parameter.size}));
  }
  for (const execution::ExecutionBuffer& buffer : input.buffers) {
    const Allocation* const at = memory.find(buffer.address);
    if (at == nullptr) continue;
    buffers.push_back(
        {{"address", at->address}, {"bytes", at->bytes}, {"content", content_file(*at)}});
  }
  for (const execution::ConstantBank& bank : input.banks) {
    banks.push_back(
        {{"bank", bank.bank}, {"bytes", hex_of(bank.bytes)}, {"known", hex_of(bank.known)}});
  }
  Json written{{"launch", number},
               {"gpu", gpu},
               {"module", module_file(function.module->input, function.module->bytes)},
               {"kernel", function.mangled},
               {"grid", order.grid},
               {"block", order.block},
               {"dynamic_shared", order.dynamic_shared},
               {"parameters", std::move(parameters)},
               {"module_address", order.variables().globals},
               {"buffers", std::move(buffers)},
               {"banks", std::move(banks)}};
  if (const auto& apart = order.variables().apart; !apart.empty()) written["apart"] = apart;
  if (Json textures = textures_of(input); !textures.empty()) {
    written["textures"] = std::move(textures);
    written["parameter_area"] = hex_of(order.parameters);
  }
  line(written.dump());
}

void Recorder::same(std::uint64_t number, std::uint64_t other) {
  line(nlohmann::json{{"launch", number}, {"same_as", other}}.dump());
}

}  // namespace forewarp::program_run
