// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/trace_reader.h"

#include <string>
#include <utility>

#include "base/file.h"
#include "trace/bytes/gzip_file.h"
#include "trace/forewarp_format.h"

namespace forewarp::trace {

Expected<TraceReader> TraceReader::open(const std::filesystem::path& folder) {
  const std::filesystem::path head = folder / TraceHeader::file_name;
  const auto text = read_file(head);
  if (!text) return text.error();
  auto header = trace_header_from_json(*text, head.string());
  if (!header) return std::move(header).error();
  const ForewarpFormat format;
  if (header->written_as != format.name()) {
    return Diagnostic{folder.string(), "holds a trace in the format '" + header->written_as + "'",
                      std::string(format.name()), "write it again with --as forewarp"};
  }
  if (!header->complete) {
    return Diagnostic{folder.string(), "holds a trace that was not finished", "", "write it again"};
  }
  const std::filesystem::path stream = folder / ForewarpFormat::stream_name;
  auto source = GzipSource::open(stream);
  if (!source) return std::move(source).error();
  return TraceReader(std::move(*header), std::move(*source), stream.string());
}

TraceReader::TraceReader(TraceHeader header, std::unique_ptr<ByteSource> stream,
                         const std::string& place)
    : header_(std::move(header)),
      stream_(std::move(stream)),
      bytes_(std::make_unique<ByteReader>(*stream_, place)) {}

Expected<void> TraceReader::begin() {
  begun_ = true;
  for (const char expected : ForewarpFormat::magic) {
    const std::uint8_t byte = bytes_->byte();
    if (bytes_->failure()) return *bytes_->failure();
    if (byte != static_cast<std::uint8_t>(expected)) {
      return bytes_->refuse("does not begin like a trace", std::string(ForewarpFormat::magic));
    }
  }
  return {};
}

Expected<void> TraceReader::pass_over() {
  while (bytes_->taken() < warp_end_ && !bytes_->failure()) (void)bytes_->byte();
  if (bytes_->failure()) return *bytes_->failure();
  return {};
}

Expected<bool> TraceReader::next_block() {
  if (!begun_) {
    if (auto ok = begin(); !ok) return ok.error();
  }
  while (true) {
    const auto more = next_warp();
    if (!more) return more;
    if (!*more) break;
  }
  if (ended_) return false;
  const std::uint64_t number = bytes_->varint(), second = bytes_->varint();
  if (bytes_->failure()) return *bytes_->failure();
  if (number == 0) {
    ended_ = true;
    if (second == blocks_) return false;
    return bytes_->refuse("the end states " + std::to_string(second) + " blocks",
                          std::to_string(blocks_));
  }
  if (number > header_.of_blocks) {
    return bytes_->refuse("block " + std::to_string(number - 1),
                          "one of " + std::to_string(header_.of_blocks));
  }
  ++blocks_;
  block_ = number - 1;
  warps_ = second;
  next_warp_ = 0;
  return true;
}

Expected<bool> TraceReader::next_warp() {
  if (auto ok = pass_over(); !ok) return ok.error();
  if (next_warp_ == warps_) return false;
  instructions_ = bytes_->varint();
  const std::uint64_t size = bytes_->varint();
  if (bytes_->failure()) return *bytes_->failure();
  ++next_warp_;
  warp_end_ = bytes_->taken() + size;
  if (warp_end_ < size) return bytes_->refuse("a warp of " + std::to_string(size) + " bytes");
  warp_.start(*bytes_, size, instructions_, static_cast<std::uint32_t>(header_.code.size()));
  return true;
}

}  // namespace forewarp::trace
