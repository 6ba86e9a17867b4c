// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <span>
#include <string>
#include <vector>

#include "trace/bytes/byte_reader.h"
#include "trace/bytes/packed_bytes.h"
#include "trace/trace_event.h"
#include "trace/warp_decoder.h"
#include "trace/warp_encoder.h"

namespace forewarp::tests {

/// The records as bytes.
inline std::string bytes_of(const PackedBytes& records) {
  PackedSource source(records);
  std::string all(records.size() + 1, '\0');
  std::size_t size = 0;
  while (const std::size_t count = *source.read(all.data() + size, all.size() - size)) {
    size += count;
  }
  all.resize(size);
  return all;
}

inline void encode(std::span<const TraceEvent> events, std::size_t kernel, WarpEncoder& encoder) {
  encoder.start(kernel);
  for (const TraceEvent& event : events) {
    encoder.executed(event.instruction, event.active, event.lanes);
    for (std::uint8_t i = 0; i < event.access_count; ++i) encoder.accessed(event.accesses[i]);
  }
  encoder.finish();
}

/// The events of a warp's records, or the line that refuses them.
struct Decoded {
  std::vector<TraceEvent> events;
  std::string refusal;
};
inline Decoded decode(const std::string& records, std::uint64_t instructions,
                      std::uint32_t kernel) {
  Decoded decoded;
  TextSource source(records);
  ByteReader bytes(source, "records");
  WarpDecoder decoder;
  decoder.start(bytes, records.size(), instructions, kernel);
  TraceEvent event;
  while (true) {
    const auto more = decoder.next(event);
    if (!more) decoded.refusal = more.error().line();
    if (!more || !*more) return decoded;
    decoded.events.push_back(event);
  }
}

inline bool same_access(const MemoryAccess& a, const MemoryAccess& b) {
  if (a.instruction != b.instruction || a.space != b.space || a.kind != b.kind) return false;
  if (a.bytes != b.bytes || a.lanes != b.lanes) return false;
  for (unsigned lane = 0; lane < lane_count; ++lane) {
    if (has_lane(a.lanes, lane) && a.address[lane] != b.address[lane]) return false;
  }
  return true;
}

inline bool same_event(const TraceEvent& a, const TraceEvent& b) {
  if (a.instruction != b.instruction || a.active != b.active || a.lanes != b.lanes) return false;
  if (a.access_count != b.access_count) return false;
  for (std::uint8_t i = 0; i < a.access_count; ++i) {
    if (!same_access(a.accesses[i], b.accesses[i])) return false;
  }
  return true;
}

inline bool same_events(const std::vector<TraceEvent>& a, const std::vector<TraceEvent>& b) {
  if (a.size() != b.size()) return false;
  for (std::size_t i = 0; i < a.size(); ++i) {
    if (!same_event(a[i], b[i])) return false;
  }
  return true;
}

}  // namespace forewarp::tests
