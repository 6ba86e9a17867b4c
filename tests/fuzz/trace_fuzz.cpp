// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Any bytes as a trace: trace.json, a zero byte, the content of warps.gz. What is read is written
// again and reads the same; or one line of text. Without a zero byte all of it is the content.
#include <cstdint>
#include <cstdlib>
#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "trace/bytes/packed_bytes.h"
#include "trace/trace_reader.h"
#include "trace/warp_encoder.h"

namespace {

using namespace forewarp::tests;

constexpr std::uint64_t most_events = 2'000;  // of one input

void check_line(const Diagnostic& failure) {
  const std::string line = failure.line();
  if (line.empty() || line.find('\n') != std::string::npos) std::abort();
}

TraceHeader usual_header() {
  TraceHeader header;
  header.launch.grid = {16, 1, 1};
  header.choose(plan_all(header.launch.grid));
  header.code.resize(48);
  return header;
}

TraceHeader header_of(std::string_view text) {
  auto header = trace_header_from_json(text, "trace.json");
  if (!header) {
    check_line(header.error());
    return usual_header();
  }
  const std::string written = to_json(*header);
  const auto again = trace_header_from_json(written, "trace.json");
  if (!again || to_json(*again) != written) std::abort();
  return *std::move(header);
}

bool same(const TraceEvent& a, const TraceEvent& b) {
  bool equal = a.instruction == b.instruction && a.active == b.active && a.lanes == b.lanes &&
               a.access_count == b.access_count;
  for (std::uint8_t i = 0; equal && i < a.access_count; ++i) {
    const MemoryAccess &one = a.accesses[i], &other = b.accesses[i];
    equal = one.space == other.space && one.kind == other.kind && one.bytes == other.bytes &&
            one.lanes == other.lanes && one.address == other.address;
  }
  return equal;
}

/// Encodes what was read of a warp and reads that.
void check_again(const std::vector<TraceEvent>& events, std::size_t kernel) {
  WarpEncoder encoder;
  encoder.start(kernel);
  for (const TraceEvent& event : events) {
    encoder.executed(event.instruction, event.active, event.lanes);
    for (std::uint8_t i = 0; i < event.access_count; ++i) encoder.accessed(event.accesses[i]);
  }
  encoder.finish();
  PackedSource source(encoder.records());
  ByteReader bytes(source, "records");
  WarpDecoder decoder;
  decoder.start(bytes, encoder.records().size(), events.size(), static_cast<std::uint32_t>(kernel));
  TraceEvent event;
  for (const TraceEvent& expected : events) {
    const auto more = decoder.next(event);
    if (!more || !*more || !same(event, expected)) std::abort();
  }
  const auto more = decoder.next(event);
  if (!more || *more) std::abort();
}

Expected<void> read_all(TraceReader& reader) {
  std::uint64_t count = 0;
  TraceEvent event;
  while (true) {
    const auto block = reader.next_block();
    if (!block) return block.error();
    if (!*block) return {};
    while (true) {
      const auto warp = reader.next_warp();
      if (!warp) return warp.error();
      if (!*warp) break;
      std::vector<TraceEvent> events;
      while (true) {
        const auto more = reader.next(event);
        if (!more) return more.error();
        if (!*more) break;
        if (++count > most_events) return {};
        events.push_back(event);
      }
      check_again(events, reader.header().code.size());
    }
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view text(reinterpret_cast<const char*>(data), size);
  TraceHeader header = usual_header();
  if (const std::size_t zero = text.find('\0'); zero != std::string_view::npos) {
    if (zero > 0 && text[0] == '{') {
      header = header_of(text.substr(0, zero));
      text.remove_prefix(zero + 1);
    }
  }
  TraceReader reader(std::move(header), std::make_unique<TextSource>(text), "warps.gz");
  const auto read = read_all(reader);
  if (!read) check_line(read.error());
  return 0;
}
