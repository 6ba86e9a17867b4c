// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/recorded_launch.h"

#include <algorithm>
#include <bit>
#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <set>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <utility>

#include "base/checked_json.h"
#include "base/file.h"
#include "base/text.h"
#include "execution/storage/program_services.h"

namespace forewarp::driver {
namespace {

namespace fs = std::filesystem;
constexpr const char* index_name = "launches.jsonl";
constexpr std::uint64_t most_bytes = 1ULL << 40;  // of a buffer
constexpr std::size_t most_buffers = 1 << 20;

/// Bytes from two hexadecimal digits each; false: it is not that.
bool bytes_of(const std::string& hex, std::vector<std::uint8_t>& bytes) {
  const auto digit = [](char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    return -1;
  };
  bytes.clear();
  if (hex.size() % 2 != 0) return false;
  for (std::size_t i = 0; i < hex.size(); i += 2) {
    const int high = digit(hex[i]), low = digit(hex[i + 1]);
    if (high < 0 || low < 0) return false;
    bytes.push_back(static_cast<std::uint8_t>(high * 16 + low));
  }
  return true;
}

/// A name of a file beside the index, and nothing else.
bool is_plain_name(const std::string& name) {
  return !name.empty() && name.find('/') == std::string::npos && name != "." && name != "..";
}

/// "1 to 40, 57": numbers of launches in order.
std::string numbers_text(const std::vector<RecordedLine>& lines) {
  constexpr std::size_t most = 8;  // parts of the text
  std::set<std::uint64_t> numbers;
  for (const RecordedLine& line : lines) numbers.insert(line.launch);
  std::vector<std::string> parts;
  for (auto at = numbers.begin(); at != numbers.end();) {
    const std::uint64_t first = *at;
    std::uint64_t last = first;
    for (++at; at != numbers.end() && *at == last + 1; ++at) ++last;
    if (parts.size() == most) {
      parts.emplace_back("..");
      break;
    }
    parts.push_back(std::to_string(first) + (last == first ? "" : " to " + std::to_string(last)));
  }
  return parts.empty() ? "none: it is empty" : join(parts, ", ");
}

/// Contents that were mapped, and the image that refers to them.
struct MappedImage {
  execution::DeviceImage image;
  std::vector<std::pair<void*, std::size_t>> maps;
  MappedImage() = default;
  MappedImage(const MappedImage&) = delete;
  MappedImage& operator=(const MappedImage&) = delete;
  ~MappedImage() {
    for (const auto& [at, bytes] : maps) ::munmap(at, bytes);
  }
};

Expected<void> add_buffer(const fs::path& folder, const RecordedLine::Buffer& from,
                          MappedImage& to) {
  const fs::path path = folder / from.content;
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  if (file < 0) return Diagnostic{path.string(), std::strerror(errno), "", ""};
  struct stat facts {};
  const bool fits =
      ::fstat(file, &facts) == 0 && static_cast<std::uint64_t>(facts.st_size) >= from.bytes;
  void* made = !fits ? MAP_FAILED
                     : ::mmap(nullptr, from.bytes, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  ::close(file);
  if (made == MAP_FAILED) {
    return Diagnostic{path.string(), "has fewer bytes than the launch says",
                      std::to_string(from.bytes) + " bytes", "record the program again"};
  }
  to.maps.emplace_back(made, from.bytes);
  execution::ExecutionBuffer buffer;
  buffer.address = from.address;
  buffer.bytes = from.bytes;
  buffer.content.kind = BufferContent::Kind::file;
  buffer.place = static_cast<std::uint8_t*>(made);
  to.image.buffers.push_back(std::move(buffer));
  return {};
}

/// A texture as the recorder writes it; false: it cannot be one.
bool texture_of(const CheckedJson& from, execution::Texture& texture) {
  using Texture = execution::Texture;
  constexpr std::uint64_t most = 1ULL << 31;  // of a width, height or depth
  texture.address = from.at("address").get<std::uint64_t>();
  texture.width = from.at("width").get<std::uint64_t>();
  texture.height = from.at("height").get<std::uint64_t>();
  texture.depth = from.at("depth").get<std::uint64_t>();
  texture.pitch = from.at("pitch").get<std::uint64_t>();
  texture.slice = from.at("slice").get<std::uint64_t>();
  texture.bits = from.at("bits").get<std::array<std::uint8_t, 4>>();
  const auto kind = from.at("kind").get<std::uint32_t>();
  const auto modes = from.at("modes").get<std::array<std::uint32_t, 3>>();
  const auto border = from.at("border").get<std::array<std::uint32_t, 4>>();
  texture.linear = from.at("linear").get<bool>();
  texture.normalized = from.at("normalized").get<bool>();
  texture.as_float = from.at("as_float").get<bool>();
  for (const std::uint8_t bits : texture.bits) {
    if (bits != 0 && bits != 8 && bits != 16 && bits != 32) return false;
  }
  if (kind > 2 || texture.element_bytes() == 0) return false;
  texture.kind = static_cast<Texture::ChannelKind>(kind);
  for (std::size_t i = 0; i < modes.size(); ++i) {
    if (modes[i] > 3) return false;
    texture.modes[i] = static_cast<Texture::AddressMode>(modes[i]);
  }
  for (std::size_t i = 0; i < border.size(); ++i)
    texture.border[i] = std::bit_cast<float>(border[i]);
  return texture.width != 0 && texture.width <= most && texture.height != 0 &&
         texture.height <= most && texture.depth != 0 && texture.depth <= most &&
         texture.pitch <= most_bytes && texture.slice <= most_bytes;
}

/// Puts the textures where the buffers that hold them were mapped.
Expected<void> add_textures(const RecordedLine& line, MappedImage& to) {
  auto services = std::make_shared<execution::ProgramServices>();
  for (const auto& [handle, from] : line.textures) {
    execution::Texture texture = from;
    const auto holds = [&](const execution::ExecutionBuffer& buffer) {
      return texture.address >= buffer.address && texture.address - buffer.address < buffer.bytes &&
             texture.bytes() <= buffer.bytes - (texture.address - buffer.address);
    };
    const auto& buffers = to.image.buffers;
    const auto buffer = std::find_if(buffers.begin(), buffers.end(), holds);
    if (buffer == buffers.end())
      return Diagnostic{index_name, "a texture lies outside of every buffer", "", "record again"};
    texture.data = buffer->place + (texture.address - buffer->address);
    services->textures[handle] = texture;
  }
  if (!line.textures.empty()) to.image.services = std::move(services);
  return {};
}

}  // namespace

bool is_recording(const fs::path& folder) {
  std::error_code failed;
  return fs::is_regular_file(folder / index_name, failed);
}

Expected<RecordedLine> parse_recorded_line(std::string_view text) {
  const auto refuse = [](const std::string& what) {
    return Diagnostic{index_name, what, "a line that forewarp run --record wrote", ""};
  };
  const CheckedJson read = CheckedJson::parse(text, nullptr, false);
  if (!read.is_object()) return refuse("a line is not a JSON object");
  RecordedLine line;
  try {
    line.launch = read.at("launch").get<std::uint64_t>();
    line.same_as = read.value("same_as", std::uint64_t{0});
    if (line.same_as != 0) return line;
    line.gpu = read.at("gpu").get<std::string>();
    line.module = read.at("module").get<std::string>();
    line.kernel = read.at("kernel").get<std::string>();
    line.grid = read.at("grid").get<Extent>();
    line.block = read.at("block").get<Extent>();
    line.dynamic_shared = read.at("dynamic_shared").get<std::uint32_t>();
    line.module_address = read.at("module_address").get<std::uint64_t>();
    const CheckedJson apart = read.value("apart", CheckedJson::object());
    for (const auto& [name, address] : apart.items())
      line.apart.emplace(name, address.get<std::uint64_t>());
    for (const auto& from : read.at("parameters")) {
      if (!bytes_of(from.get<std::string>(), line.parameters.emplace_back()))
        return refuse("\"parameters\" is not hexadecimal");
    }
    if (!is_plain_name(line.module)) return refuse("\"module\" is not the name of a file");
    for (const auto& from : read.at("buffers")) {
      RecordedLine::Buffer buffer{from.at("address").get<std::uint64_t>(),
                                  from.at("bytes").get<std::uint64_t>(),
                                  from.at("content").get<std::string>()};
      if (buffer.bytes == 0 || buffer.bytes > most_bytes || !is_plain_name(buffer.content) ||
          line.buffers.size() >= most_buffers || buffer.address > ~buffer.bytes)
        return refuse("a buffer has no size or no file");
      line.buffers.push_back(std::move(buffer));
    }
    if (!bytes_of(read.value("parameter_area", std::string()), line.parameter_area))
      return refuse("\"parameter_area\" is not hexadecimal");
    for (const auto& from : read.value("textures", CheckedJson::array())) {
      execution::Texture texture;
      if (!texture_of(from, texture)) return refuse("a texture has no size or no elements");
      line.textures.emplace_back(from.at("handle").get<std::uint32_t>(), texture);
    }
    for (const auto& from : read.at("banks")) {
      execution::ConstantBank bank;
      bank.bank = from.at("bank").get<std::uint32_t>();
      if (!bytes_of(from.at("bytes").get<std::string>(), bank.bytes) ||
          !bytes_of(from.at("known").get<std::string>(), bank.known) ||
          (!bank.known.empty() && bank.known.size() != bank.bytes.size()))
        return refuse("a constant bank is not hexadecimal");
      line.banks.push_back(std::move(bank));
    }
  } catch (const CheckedJson::exception& failure) {
    return refuse(failure.what());
  }
  return line;
}

Expected<RecordedLaunch> read_recorded_launch(const fs::path& folder, std::uint64_t number) {
  auto text = read_file((folder / index_name).string());
  if (!text) return text.error();
  RecordedLine found;
  std::uint64_t wanted = number;
  // A launch that is the same as another one comes behind it.
  std::vector<RecordedLine> lines;
  for (std::size_t begin = 0; begin < text->size();) {
    const std::size_t end = std::min(text->find('\n', begin), text->size());
    auto line = parse_recorded_line(std::string_view(*text).substr(begin, end - begin));
    if (!line) return line.error();
    lines.push_back(*std::move(line));
    begin = end + 1;
  }
  for (auto line = lines.rbegin(); line != lines.rend(); ++line) {
    if (line->launch != wanted) continue;
    if (line->same_as != 0 && line->same_as < wanted) {
      wanted = line->same_as;
      continue;
    }
    found = std::move(*line);
    break;
  }
  if (found.launch == 0 || found.kernel.empty()) {
    return Diagnostic{"--launch " + std::to_string(number), "the recording has no such launch",
                      "one of " + numbers_text(lines), ""};
  }
  RecordedLaunch made;
  made.gpu = found.gpu;
  made.request.input = (folder / found.module).string();
  made.request.kernel = found.kernel;
  made.request.gpu = found.gpu;
  made.request.launch.grid = found.grid;
  made.request.launch.block = found.block;
  made.request.launch.dynamic_shared = found.dynamic_shared;
  made.request.has_dynamic_shared = true;
  for (std::uint32_t i = 0; i < found.parameters.size(); ++i) {
    NamedArgument argument;
    argument.index = i;
    argument.value.kind = Argument::Kind::bytes;
    argument.value.bytes = std::move(found.parameters[i]);
    made.request.launch.arguments.push_back(std::move(argument));
  }
  auto mapped = std::make_shared<MappedImage>();
  for (const RecordedLine::Buffer& buffer : found.buffers) {
    if (auto done = add_buffer(folder, buffer, *mapped); !done) return done.error();
  }
  if (auto done = add_textures(found, *mapped); !done) return done.error();
  mapped->image.parameters = std::move(found.parameter_area);
  mapped->image.banks = std::move(found.banks);
  mapped->image.module_address = found.module_address;
  mapped->image.apart = std::move(found.apart);
  mapped->image.serial = found.launch;
  made.image = std::shared_ptr<const execution::DeviceImage>(mapped, &mapped->image);
  return made;
}

}  // namespace forewarp::driver
