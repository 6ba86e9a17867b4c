// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
/// @file
/// Where predictions are made.
#pragma once

#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <forewarp/expected.h>
#include <forewarp/export.h>
#include <forewarp/gpu.h>
#include <forewarp/kernel.h>
#include <forewarp/launch.h>
#include <forewarp/result.h>
#include <forewarp/sweep.h>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace forewarp::FOREWARP_INLINE api {

/// What a session is made with.
struct SessionOptions {
  /// The folder with gpus/, capabilities/, isa/ and memory/. Empty: $FOREWARP_DATA, else
  /// share/forewarp/data beside the library, else that of the sources it was built from.
  std::filesystem::path data{};
  /// Threads that one prediction and one sweep may use; 0: one per core. Changes no digit.
  unsigned threads = 1;
  /// Seconds of counted work that a prediction may take, where its launch does not say; nothing:
  /// as the command line does (0.5). Counted, not timed, so that equal launches give equal results.
  std::optional<double> budget_s{};
  /// Whether launches that were executed before are taken from, and kept in, the folder
  /// $XDG_CACHE_HOME/forewarp (docs/performance.md). Changes no digit.
  bool disk_cache = true;
  /// The CUDA toolkit's folder, for source code, PTX and binaries; empty: searched.
  std::string toolkit{};
};

/// What is to be predicted.
struct Query {
  Kernel kernel;  ///< the code
  Gpu gpu;        ///< where it runs
  Launch launch;  ///< how it is launched
};

/// What a block needs of an SM.
struct BlockNeeds {
  std::uint32_t threads = 0;           ///< of a block
  std::uint32_t registers = 0;         ///< per thread
  std::uint32_t static_shared = 0;     ///< bytes per block
  std::uint32_t dynamic_shared = 0;    ///< bytes per block
  std::int32_t carveout_percent = -1;  ///< of the unified memory for shared memory; -1: as needed
  std::uint32_t barriers = 0;          ///< named barriers
};

/// Resident blocks and warps of an SM for one value of what varies.
struct OccupancyPoint {
  std::uint32_t value = 0;   ///< threads, registers or bytes
  std::uint32_t blocks = 0;  ///< per SM
  std::uint32_t warps = 0;   ///< per SM
};

/// GPU data, and what was read, executed and bound with them: a second prediction does nothing that
/// the first one did. A handle: copies are the same session. Every function may be called by any
/// number of threads at once; equal queries give equal digits, whatever else goes on.
class Session {
 public:
  struct State;  ///< what it holds; the library's own

  /// Refused: a folder without GPU data.
  [[nodiscard]] static FOREWARP_EXPORT Expected<Session> open(const SessionOptions& options = {});

  /// The folder of the data.
  [[nodiscard]] FOREWARP_EXPORT std::filesystem::path data() const;
  /// Ids of all GPUs, in alphabetical order.
  [[nodiscard]] FOREWARP_EXPORT std::vector<std::string> gpu_ids() const;
  /// A GPU by id, marketing name or path of a .toml file. Refused: a name of none, with the
  /// closest ids, or of several; a change that its data do not allow.
  [[nodiscard]] FOREWARP_EXPORT Expected<Gpu> gpu(
      std::string_view name, const std::vector<FactChange>& changes = {}) const;

  /// A kernel of a file: SASS listing, .cubin, fatbin, executable, .ptx, .cu, .cl. `name`: plain,
  /// C++ or mangled, or "#N"; empty: the only one. The file is read when the kernel is first used,
  /// and again after every such call. Refused: a file that is not there.
  [[nodiscard]] FOREWARP_EXPORT Expected<Kernel> kernel(
      const std::filesystem::path& file, std::string name = {},
      std::vector<std::string> compile_options = {}) const;
  /// A kernel of code in memory, which is copied. `file_name` stands for it in messages and
  /// results.
  [[nodiscard]] FOREWARP_EXPORT Expected<Kernel> kernel(
      std::span<const std::byte> code, std::string file_name, std::string name = {},
      std::vector<std::string> compile_options = {}) const;
  /// What the code says of all of its kernels. `sm`: the architecture that source code is compiled
  /// for, 86 for sm_86; 0: the compiler's own choice. `options`: a launch whose options cuda,
  /// nvcc-option and assume-isa count. Refused: code that cannot be read.
  [[nodiscard]] FOREWARP_EXPORT Expected<std::vector<KernelFacts>> kernels(
      const Kernel& code, std::uint32_t sm = 0, const Launch& options = {}) const;

  /// A case as a line of a cases file has it (docs/cases.md): a JSON object with its code, GPU and
  /// launch. Relative paths start at `folder`. Refused: what cannot be read, a GPU that there is
  /// none of. Code that is not there is refused by what is asked of the query.
  [[nodiscard]] FOREWARP_EXPORT Expected<Query> query(
      std::string_view case_json, const std::filesystem::path& folder = {}) const;

  /// How long a launch takes, and why. Refused: a launch that the GPU would not accept, and one
  /// that no model can predict.
  [[nodiscard]] FOREWARP_EXPORT Expected<Result> predict(const Query& query,
                                                         Detail detail = Detail::usual) const;
  /// The same on a GPU by its name; what cannot be predicted is a result with an error.
  [[nodiscard]] FOREWARP_EXPORT Result predict_or_error(const Kernel& kernel, std::string_view gpu,
                                                        const Launch& launch,
                                                        Detail detail = Detail::usual) const;
  /// What the warps do, without any model and without a time. Refused: as predict().
  [[nodiscard]] FOREWARP_EXPORT Expected<Result> profile(const Query& query) const;
  /// Predicts both, and explains what changes from A to B. A side that cannot be predicted is a
  /// result with an error.
  [[nodiscard]] FOREWARP_EXPORT Expected<Comparison> compare(const Query& a, const Query& b) const;
  /// All points of a sweep. Up to 256 points the kernel is executed for each; beyond, and with the
  /// option static, counts follow from the analysis, and a point takes microseconds. Refused: axes
  /// that cannot be read or contradict the launch. A point that cannot be predicted has an error.
  [[nodiscard]] FOREWARP_EXPORT Expected<Points> sweep(const Query& query,
                                                       const Sweep& sweep) const;

  /// Results as `forewarp predict --format FORMAT` prints them: text, markdown, json, jsonl, csv,
  /// html, number, .. `views`: those of text and markdown. Refused: a format or view that there is
  /// none of, with the valid ones.
  [[nodiscard]] FOREWARP_EXPORT Expected<std::string> report(
      const std::vector<Result>& results, std::string_view format,
      const std::vector<std::string>& views = {}) const;

  /// Occupancy of a block on a GPU by its name, or if that is empty on a compute capability
  /// ("8.6"), as one JSON object (docs/result.md). Refused: one that there is none of.
  [[nodiscard]] FOREWARP_EXPORT Expected<std::string> occupancy_json(std::string_view gpu,
                                                                     std::string_view capability,
                                                                     const BlockNeeds& needs) const;
  /// The same along one need: "block", "regs" or "smem". Refused also: another word.
  [[nodiscard]] FOREWARP_EXPORT Expected<std::vector<OccupancyPoint>> occupancy_curve(
      std::string_view gpu, std::string_view capability, const BlockNeeds& needs,
      std::string_view along) const;

 private:
  friend struct Access;
  explicit Session(std::shared_ptr<State> state) : state_(std::move(state)) {}
  std::shared_ptr<State> state_;
};

}  // namespace forewarp::FOREWARP_INLINEapi
