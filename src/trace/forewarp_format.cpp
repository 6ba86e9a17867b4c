// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/forewarp_format.h"

#include <array>
#include <utility>

#include "trace/bytes/byte_reader.h"
#include "trace/bytes/gzip_file.h"

namespace forewarp::trace {
namespace {

class ForewarpWriter : public TraceWriter {
 public:
  explicit ForewarpWriter(GzipWriter file) : file_(std::move(file)) {}

 private:
  /// A block: its number plus one and its warps; a warp: instructions, bytes, records.
  Expected<void> do_add(const RecordedBlock& block) override {
    std::string head;
    append_varint(head, block.linear + 1);
    append_varint(head, block.warps.size());
    if (auto ok = file_.write(head); !ok) return ok;
    for (const RecordedBlock::Warp& warp : block.warps) {
      head.clear();
      append_varint(head, warp.instructions);
      append_varint(head, warp.records->size());
      if (auto ok = file_.write(head); !ok) return ok;
      if (auto ok = copy(*warp.records); !ok) return ok;
    }
    ++blocks_;
    return {};
  }

  Expected<void> do_finish() override {
    std::string end;
    append_varint(end, 0);
    append_varint(end, blocks_);
    if (auto ok = file_.write(end); !ok) return ok;
    return file_.close();
  }

  Expected<void> copy(const PackedBytes& records) {
    PackedSource source(records);
    while (true) {
      const auto count = source.read(buffer_.data(), buffer_.size());
      if (!count) return count.error();
      if (*count == 0) return {};
      if (auto ok = file_.write({buffer_.data(), *count}); !ok) return ok;
    }
  }

  GzipWriter file_;
  std::uint64_t blocks_ = 0;
  std::array<char, 1 << 16> buffer_{};
};

}  // namespace

Expected<std::unique_ptr<TraceWriter>> ForewarpFormat::open(const std::filesystem::path& folder,
                                                            const TraceSubject&) const {
  auto file = GzipWriter::create(folder / stream_name);
  if (!file) return std::move(file).error();
  if (auto ok = file->write(magic); !ok) return ok.error();
  return std::unique_ptr<TraceWriter>(std::make_unique<ForewarpWriter>(std::move(*file)));
}

}  // namespace forewarp::trace
