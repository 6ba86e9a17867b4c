// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/launch_text.h"

#include <cstdint>

#include "base/text.h"

namespace forewarp::program_run {

std::string access_text(const Kernel& kernel, const execution::AccessFinding& finding,
                        const Extent& block) {
  const bool misaligned = finding.kind == execution::AccessFinding::Kind::misaligned;
  const bool surface = finding.space == MemorySpace::surface;
  return kernel.name + ": " +
         (misaligned ? "misaligned access"
          : surface  ? "access outside its surface"
                     : "access outside every allocation") +
         " of " + std::to_string(finding.bytes) + " bytes at " +
         (surface ? "x " + std::to_string(static_cast<std::int64_t>(finding.address))
                  : hex(finding.address)) +
         ", block " + extent_text(finding.block) + ", thread " +
         extent_text(block_index(finding.thread, block)) + ", in " +
         instruction_text(kernel, finding.instruction) +
         (finding.lanes > 1 ? ", and " + std::to_string(finding.lanes - 1) + " more" : "");
}

std::string failure_text(Diagnostic why) {
  if (why.found.find("cannot be executed") != std::string::npos) {
    const bool unknown = why.found.find("UNKNOWN") != std::string::npos;
    why.way_out = unknown ? "the disassembler of a CUDA toolkit reads it: --cuda PATH, or CUDA_HOME"
                          : "docs/run.md names what is not computed";
  }
  return why.line();
}

}  // namespace forewarp::program_run
