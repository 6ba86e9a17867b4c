// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "trace/accel_sim_format.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <fstream>
#include <iterator>
#include <utility>

#include "base/file.h"
#include "base/text.h"
#include "trace/accel_sim_line.h"
#include "trace/bytes/byte_reader.h"
#include "trace/warp_decoder.h"

namespace forewarp::trace {
namespace {

constexpr std::size_t flush_bytes = std::size_t{1} << 18U;

std::string three(const Extent& e) {
  return std::to_string(e[0]) + "," + std::to_string(e[1]) + "," + std::to_string(e[2]);
}

/// The keys that the simulator asks for; it passes over the others.
std::string head_text(const Kernel& kernel, const TraceHeader& header) {
  const Result::LaunchFacts& launch = header.launch;
  std::string grid = three(launch.grid);
  std::string sample;
  if (!header.whole_grid()) {
    // The simulator runs as many blocks as the grid has, and takes them in the file's order.
    sample = "-forewarp sample = " + std::to_string(header.held_blocks) + " of " +
             std::to_string(header.of_blocks) + " blocks of the grid (" + grid + ")\n";
    grid = std::to_string(header.held_blocks) + ",1,1";
  }
  return "-kernel name = " + (kernel.mangled.empty() ? kernel.name : kernel.mangled) +
         "\n-kernel id = 1\n-grid dim = (" + grid + ")\n-block dim = (" + three(launch.block) +
         ")\n-shmem = " + std::to_string(header.kernel.static_shared + launch.dynamic_shared) +
         "\n-nregs = " + std::to_string(header.kernel.registers) +
         "\n-binary version = " + std::to_string(kernel.sm) +
         "\n-cuda stream id = 0\n-shmem base_addr = " + hex(AccelSimLines::shared_base, 16) +
         "\n-local mem base_addr = " + hex(AccelSimLines::local_base, 16) +
         "\n-nvbit version = none\n-accelsim tracer version = 3\n-forewarp version = " +
         header.tool_version + "\n" + sample +
         "\n#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] mem_width "
         "[addresscompress?] [mem_addresses]\n";
}

class AccelSimWriter : public TraceWriter {
 public:
  AccelSimWriter(const std::filesystem::path& folder, const TraceSubject& subject)
      : folder_(folder),
        path_(folder / AccelSimFormat::kernel_name),
        lines_(*subject.kernel),
        kernel_instructions_(static_cast<std::uint32_t>(subject.kernel->instructions.size())),
        grid_(subject.header->launch.grid),
        text_(head_text(*subject.kernel, *subject.header)) {
    errno = 0;
    file_.open(path_, std::ios::binary | std::ios::trunc);
  }

  Expected<void> flush() {
    file_.write(text_.data(), static_cast<std::streamsize>(text_.size()));
    text_.clear();
    return state();
  }

 private:
  Expected<void> do_add(const RecordedBlock& block) override {
    text_ += "\n#BEGIN_TB\n\nthread block = " + three(block_index(block.linear, grid_)) + "\n";
    for (std::size_t warp = 0; warp < block.warps.size(); ++warp) {
      text_ += "\nwarp = " + std::to_string(warp) +
               "\ninsts = " + std::to_string(block.warps[warp].instructions) + "\n";
      if (auto ok = add_warp(block.warps[warp]); !ok) return ok;
    }
    text_ += "\n#END_TB\n";
    return {};
  }

  Expected<void> add_warp(const RecordedBlock::Warp& warp) {
    PackedSource source(*warp.records);
    ByteReader bytes(source, "trace");
    decoder_.start(bytes, warp.records->size(), warp.instructions, kernel_instructions_);
    while (true) {
      const auto more = decoder_.next(event_);
      if (!more) return more.error();
      if (!*more) return {};
      lines_.append(text_, event_);
      if (text_.size() < flush_bytes) continue;
      if (auto ok = flush(); !ok) return ok;
    }
  }

  Expected<void> do_finish() override {
    errno = 0;
    if (auto ok = flush(); !ok) return ok;
    file_.close();
    if (auto ok = state(); !ok) return ok;
    return write_file(folder_ / AccelSimFormat::list_name,
                      std::string(AccelSimFormat::kernel_name) + "\n");
  }

  Expected<void> state() {
    if (file_) return {};
    return Diagnostic{path_.string(), std::string("cannot be written: ") + std::strerror(errno), "",
                      ""};
  }

  std::filesystem::path folder_, path_;
  AccelSimLines lines_;
  std::uint32_t kernel_instructions_;
  Extent grid_;
  std::string text_;
  std::ofstream file_;
  WarpDecoder decoder_;
  TraceEvent event_;
};

/// Architectures whose opcodes the simulator has a table of.
constexpr std::string_view simulated[] = {"sm_35", "sm_60", "sm_61", "sm_70",
                                          "sm_75", "sm_80", "sm_86"};

}  // namespace

std::vector<std::string> AccelSimFormat::notes(const TraceHeader& header) const {
  std::vector<std::string> notes;
  if (!header.whole_grid()) {
    notes.emplace_back("kernel-1.traceg holds only these blocks and states them as its whole grid");
  }
  if (std::find(std::begin(simulated), std::end(simulated), header.kernel.arch) ==
      std::end(simulated)) {
    notes.push_back("Accel-Sim has no opcodes of " + header.kernel.arch +
                    ": its parser reads the trace, its simulator does not");
  }
  return notes;
}

Expected<std::unique_ptr<TraceWriter>> AccelSimFormat::open(const std::filesystem::path& folder,
                                                            const TraceSubject& subject) const {
  auto writer = std::make_unique<AccelSimWriter>(folder, subject);
  if (auto ok = writer->flush(); !ok) return ok.error();
  return std::unique_ptr<TraceWriter>(std::move(writer));
}

}  // namespace forewarp::trace
