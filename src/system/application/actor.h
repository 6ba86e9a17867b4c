// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "system/engine/collectives.h"
#include "system/engine/devices.h"
#include "system/engine/world.h"
#include "system/script/context.h"

namespace forewarp::system {

/// One process of an application that is written in C++: the calls of `sim` in docs/system.md, made
/// from the process's own body, each of which returns when it is done in simulated time. A call
/// that cannot be throws CallFault, which ends the run with one line.
class Actor {
 public:
  Actor(Application& application, Process& process)
      : application_(application), process_(process) {}

  /// Who takes part in a collective: the processes of the own label, or all.
  enum class Scope : std::uint8_t { label, all };

  [[nodiscard]] const std::string& label() const { return process_.place.label; }
  [[nodiscard]] std::uint32_t index() const { return process_.place.index; }
  [[nodiscard]] std::uint32_t count() const;  ///< processes of the label
  [[nodiscard]] std::uint32_t rank() const { return process_.rank; }
  [[nodiscard]] std::uint32_t size() const;  ///< processes of the application
  [[nodiscard]] std::uint32_t rank_of(const std::string& label, std::uint32_t index) const;
  [[nodiscard]] static double now() { return World::now(); }
  /// A figure of the whole run, each name once.
  void answer(const std::string& name, double value) { application_.answer(name, value); }

  void compute(double seconds, const std::string& name = "");
  void operations(double count, const std::string& name = "");  ///< at the unit's performance
  void delay(double seconds);
  void read(double bytes, const std::string& disk = "");
  void write(double bytes, const std::string& disk = "");
  void clock(double share);

  void kernel(const KernelRun& run, Stream* stream = nullptr, std::uint32_t gpu = 0);
  /// A launch as a case in JSON (docs/cases.md) without its GPU, predicted.
  void launch(const std::string& json, Stream* stream = nullptr, std::uint32_t gpu = 0);
  void copy(const CopyRun& run, Stream* stream = nullptr, std::uint32_t gpu = 0);
  /// A batch of kernels and copies, launched at once; `after`: nodes, nullopt: the one before.
  Graph& graph(std::uint32_t gpu = 0);
  std::size_t kernel(const KernelRun& run, Graph& graph, const NodeOrder& after = std::nullopt);
  std::size_t copy(const CopyRun& run, Graph& graph, const NodeOrder& after = std::nullopt);
  void launch(Graph& graph, Stream* stream = nullptr);
  Stream& stream(std::uint32_t gpu = 0);
  void synchronise(Stream* stream = nullptr);
  [[nodiscard]] static StreamEvent record(Stream& stream) { return {&stream, stream.given()}; }
  void wait(Stream& stream, const StreamEvent& event);

  void send(std::uint32_t to, double bytes, std::int64_t tag = 0);
  Sending isend(std::uint32_t to, double bytes, std::int64_t tag = 0);
  void wait(const Sending& sending);
  Message receive(const Expectation& expected = {});

  void barrier(Scope scope = Scope::label);
  void broadcast(double bytes, std::uint32_t root = 0, Scope scope = Scope::label);
  void reduce(double bytes, std::uint32_t root = 0, Scope scope = Scope::label);
  void all_reduce(double bytes, const ReduceHow& how = {}, Scope scope = Scope::label);
  void scatter(double bytes, std::uint32_t root = 0, Scope scope = Scope::label);
  void gather(double bytes, std::uint32_t root = 0, Scope scope = Scope::label);
  void all_to_all(double bytes, Scope scope = Scope::label);

 private:
  [[nodiscard]] Issue issue(Stream* stream, std::uint32_t gpu) const;
  [[nodiscard]] Collectives::Call call(Scope scope) const;
  [[nodiscard]] World& world() const { return *application_.world; }

  Application& application_;
  Process& process_;
};

using ActorBody = std::function<void(Actor&)>;

/// An application of C++: what the processes of each label do, in the order of the labels.
struct NativeApplication {
  std::string name;
  std::vector<std::pair<std::string, ActorBody>> bodies;
};

}  // namespace forewarp::system
