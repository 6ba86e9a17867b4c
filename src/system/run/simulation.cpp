// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/run/simulation.h"

#include <algorithm>
#include <filesystem>
#include <forewarp/session.h>
#include <map>
#include <memory>
#include <set>
#include <simgrid/s4u/Engine.hpp>
#include <utility>
#include <vector>

#include "base/file.h"
#include "base/text.h"
#include "hardware/database.h"
#include "hardware/host_database.h"
#include "hardware/link_database.h"
#include "hardware/peer_link.h"
#include "system/description/board_attributes.h"
#include "system/description/expansion.h"
#include "system/description/placement.h"
#include "system/description/system_reader.h"
#include "system/outcome/summary.h"
#include "system/run/predicted_kernels.h"
#include "system/script/script.h"

namespace forewarp::system {
namespace {

/// Everything that is known before the first process starts.
struct Prepared {
  System system;
  std::vector<LinkModel> links;
  CollectiveLibrary library;
  std::vector<Place> places;
  std::vector<std::string> assumptions;
};

Expected<System> read_system(const std::string& file, const std::vector<std::string>& changes) {
  const auto text = read_file(file);
  if (!text) return text.error();
  const auto parsed = parse_system(*text, file, changes);
  if (!parsed) return parsed.error();
  return expanded(*parsed);
}

/// Every cpu gets its host; one that names none gets what is assumed of any.
Expected<void> load_hosts(System& system, const std::filesystem::path& data) {
  const HostDatabase database(data);
  std::map<std::string, std::shared_ptr<const Host>> loaded;
  for (Component& unit : system.components) {
    if (unit.kind != ComponentKind::cpu) continue;
    std::shared_ptr<const Host>& host = loaded[unit.hardware];
    if (!host) {
      auto read = unit.hardware.empty() ? database.undescribed() : database.load(unit.hardware);
      if (!read) return std::move(read).error();
      host = std::make_shared<const Host>(*std::move(read));
    }
    unit.host = host;
  }
  return {};
}

using Boards = std::map<std::string, Gpu>;

bool is_board(const Component& unit) {
  return unit.kind == ComponentKind::gpu && !unit.hardware.empty();
}

/// The boards of all GPUs, by what the system calls them.
Expected<Boards> load_boards(const System& system, const std::filesystem::path& data) {
  const HardwareDatabase database(data);
  Boards boards;
  for (const Component& unit : system.components) {
    if (!is_board(unit) || boards.contains(unit.hardware)) continue;
    auto loaded = database.load(unit.hardware);
    if (!loaded) return std::move(loaded).error();
    boards.emplace(unit.hardware, *std::move(loaded));
  }
  return boards;
}

/// GPUs have the NVLink that the system's file gives them.
Expected<void> check_fabrics(const System& system, const Boards& boards,
                             const std::vector<LinkModel>& models,
                             const std::filesystem::path& data) {
  const LinkDatabase links(data);
  for (std::size_t i = 0; i < models.size(); ++i) {
    const Connection& connection = system.connections[i];
    const Link* const link = models[i].hardware();
    if (link == nullptr || link->peer.kind != PeerKind::nvlink) continue;
    for (const std::size_t end : {connection.from, connection.to}) {
      const Component& unit = system.components[end];
      if (!is_board(unit)) continue;
      const std::string place = system.file + ": link '" + connection.name + "' of " + unit.name;
      auto fine = check_peer_link(links, boards.at(unit.hardware), *link, 1, place);
      if (!fine) return fine;
    }
  }
  return {};
}

/// The hardware that the system names is there; link models in the order of its connections.
Expected<std::vector<LinkModel>> load_hardware(const System& system, const api::Session& session,
                                               const std::filesystem::path& data,
                                               std::vector<std::string>& assumptions) {
  std::set<std::string> checked;
  for (const Component& unit : system.components) {
    if (unit.kind != ComponentKind::gpu || unit.hardware.empty()) continue;
    if (!checked.insert(unit.hardware).second) continue;
    if (const auto gpu = session.gpu(unit.hardware); !gpu) return diagnostic_of(gpu.error());
  }
  const LinkDatabase database(data);
  std::vector<LinkModel> models;
  std::set<std::string> guesses;
  for (const Connection& connection : system.connections) {
    auto model = LinkModel::build(connection, system, database);
    if (!model) return std::move(model).error();
    if (const std::string guessed = model->guessed(); !guessed.empty()) guesses.insert(guessed);
    models.push_back(*std::move(model));
  }
  for (const std::string& guess : guesses) {
    assumptions.push_back("links that nobody measured: " + guess);
  }
  return models;
}

/// The library of collectives, and what it asks of the system's GPUs. A GPU whose memory the file
/// does not state has that of its hardware.
Expected<CollectiveLibrary> load_library(System& system, const api::Session& session,
                                         const std::filesystem::path& data) {
  auto tables = load_collective_tables(data, "nccl");
  if (!tables) return std::move(tables).error();
  CollectiveLibrary library{*std::move(tables), {}};
  std::map<std::string, double> memory_bytes;
  for (Component& unit : system.components) {
    if (unit.kind != ComponentKind::gpu || unit.hardware.empty()) continue;
    if (!library.chips.contains(unit.hardware)) {
      const auto gpu = session.gpu(unit.hardware);
      if (!gpu) return diagnostic_of(gpu.error());
      library.chips[unit.hardware] = {collective_generation(gpu->sm()), gpu->l2_bytes()};
      memory_bytes[unit.hardware] = gpu->memory_bytes();
    }
    if (unit.memory_bytes <= 0) unit.memory_bytes = memory_bytes[unit.hardware];
  }
  return library;
}

Expected<void> load_models(const System& system, Application& application) {
  for (const Component& unit : system.components) {
    if (unit.model.empty() || application.models.contains(unit.model)) continue;
    auto text = read_file(unit.model);
    if (!text) return text.error();
    application.models.emplace(unit.model, *std::move(text));
  }
  return {};
}

void make_groups(const std::vector<Place>& places, Application& application) {
  Group& all = application.groups[""];
  for (std::size_t i = 0; i < places.size(); ++i) {
    const auto rank = static_cast<std::uint32_t>(i);
    all.ranks.push_back(rank);
    const auto number = static_cast<std::uint32_t>(application.groups.size());
    const auto [group, is_new] = application.groups.try_emplace(places[i].label);
    if (is_new) group->second.number = number;
    group->second.ranks.push_back(rank);
  }
}

class Run {
 public:
  Run(const SimulationOptions& order, Pulse* pulse, const std::function<void(Outcome)>& finish)
      : order_(order), finish_(finish), application_{{}, order.application, Variables(order.set)} {
    application_.beyond_memory = order.beyond_memory;
    application_.budget.pulse = pulse;
    application_.budget.most_instructions = order.most_instructions;
    application_.budget.most_calls = order.most_calls;
  }

  void go() {
    const auto session = api::Session::open();
    if (!session) return stop(diagnostic_of(session.error()));
    const auto prepared = prepare(*session);
    if (!prepared) return stop(prepared.error());
    if (order_.check_only) return finish_({});
    PredictedKernels kernels(*session, order_.application, order_.beyond_memory);
    kernels.take(order_.place, order_.known);
    application_.kernels = &kernels;
    simulate(*prepared, kernels);
  }

 private:
  void stop(const Diagnostic& error) {
    Outcome outcome;
    outcome.system = order_.system;
    outcome.application = order_.application;
    outcome.error = error;
    finish_(std::move(outcome));
  }

  [[nodiscard]] bool is_native() const { return !order_.native.bodies.empty(); }

  Expected<void> load_source() {
    if (is_native()) return {};
    auto source = order_.script.empty() ? read_file(order_.application)
                                        : Expected<std::string>(order_.script);
    if (!source) return source.error();
    application_.source = *std::move(source);
    return {};
  }

  Expected<Prepared> prepare(const api::Session& session) {
    const std::filesystem::path data = session.data();
    if (auto loaded = load_source(); !loaded) return loaded.error();
    auto system = read_system(order_.system, order_.changes);
    if (!system) return system.error();
    Prepared prepared{*std::move(system), {}, {}, {}, {}};
    if (auto hosts = load_hosts(prepared.system, data); !hosts) return hosts.error();
    auto links = load_hardware(prepared.system, session, data, prepared.assumptions);
    if (!links) return links.error();
    prepared.links = *std::move(links);
    const auto boards = load_boards(prepared.system, data);
    if (!boards) return boards.error();
    if (auto fine = check_fabrics(prepared.system, *boards, prepared.links, data); !fine) {
      return fine.error();
    }
    for (Component& unit : prepared.system.components) {
      if (is_board(unit)) add_board_attributes(boards->at(unit.hardware), unit);
    }
    auto library = load_library(prepared.system, session, data);
    if (!library) return std::move(library).error();
    prepared.library = *std::move(library);
    if (auto loaded = load_models(prepared.system, application_); !loaded) return loaded.error();
    auto labels = declared_labels();
    if (!labels) return labels.error();
    auto places = placed(prepared.system, *labels, order_.processes);
    if (!places) return places.error();
    prepared.places = *std::move(places);
    make_groups(prepared.places, application_);
    return prepared;
  }

  Expected<std::vector<std::string>> declared_labels() {
    if (is_native()) {
      std::vector<std::string> labels;
      for (const auto& [label, body] : order_.native.bodies) labels.push_back(label);
      return labels;
    }
    const auto exceeded = [this](const std::string& place, const std::string& text) {
      stop({place.empty() ? order_.application : place, text, "", ""});
    };
    Script script(application_, nullptr, exceeded);
    if (auto declared = script.declare(); !declared) return declared.error();
    if (auto fine = application_.variables.check(); !fine) return fine.error();
    if (script.labels().empty()) {
      return Diagnostic{order_.application, "has no process",
                        "sim.process(\"LABEL\", function() .. end)", ""};
    }
    return script.labels();
  }

  void simulate(const Prepared& prepared, const PredictedKernels& kernels) {
    char name[] = "forewarp";
    char* words[] = {name, nullptr};
    int count = 1;
    simgrid::s4u::Engine engine(&count, words);
    configure_engine();
    Platform platform(prepared.system, prepared.links);
    World world(platform, prepared.places, [this](const Diagnostic& error) { stop(error); });
    world.expect(failures_of(prepared.system, order_.attempt),
                 [&](const Failure& failure) { break_off(world, failure); });
    Devices devices(world);
    Collectives collectives(world, &prepared.library, order_.place);
    application_.world = &world;
    application_.devices = &devices;
    application_.collectives = &collectives;
    std::vector<std::unique_ptr<Script>> scripts(prepared.places.size());
    world.run([&](Process& process) {
      if (is_native()) {
        run_native(world, devices, process);
      } else {
        run_process(world, devices, process, scripts[process.rank]);
      }
    });
    Outcome outcome = summary(world);
    outcome.application = order_.application;
    const ReduceCounts& reduces = collectives.reduces();
    outcome.reduces = {reduces.closed,  reduces.disturbed,        reduces.messages,
                       reduces.library, reduces.library_messages, reduces.reason};
    outcome.variables = application_.variables.used();
    outcome.assumptions = prepared.assumptions;
    const auto of_collectives = collectives.assumptions();
    outcome.assumptions.insert(outcome.assumptions.end(), of_collectives.begin(),
                               of_collectives.end());
    const auto& of_copies = devices.assumptions();
    outcome.assumptions.insert(outcome.assumptions.end(), of_copies.begin(), of_copies.end());
    const auto& of_kernels = kernels.assumptions();
    outcome.assumptions.insert(outcome.assumptions.end(), of_kernels.begin(), of_kernels.end());
    if (const std::string clocked = world.clocked_units(); !clocked.empty()) {
      outcome.assumptions.push_back("work lasts in inverse proportion to the clock: " + clocked);
    }
    if (std::string unread = world.never_received(); !unread.empty()) {
      outcome.warnings.push_back(std::move(unread));
    }
    const auto& warned = kernels.warnings();
    outcome.warnings.insert(outcome.warnings.end(), warned.begin(), warned.end());
    const auto& of_calls = application_.warnings;
    outcome.warnings.insert(outcome.warnings.end(), of_calls.begin(), of_calls.end());
    outcome.said = application_.budget.said;
    outcome.kernels = kernels.known();
    for (const Answer& one : application_.answers) {
      outcome.answers.push_back({one.name, one.value, {one.value, one.value}});
    }
    finish_(std::move(outcome));
  }

  /// The energy of repairs is that of a system that does nothing.
  void break_off(World& world, const Failure& failure) {
    const System& system = world.system();
    const double at = order_.attempt.began_s + failure.at_s;
    if (order_.attempt.number >= system.failures.restarts) {
      std::string found = failure.what + " at " + significant(at, 6) + " s";
      if (order_.attempt.number > 0) {
        found += ", after the application began again " + std::to_string(order_.attempt.number) +
                 " times";
      }
      return stop({system.file, found, "",
                   "[failures] with restarts says how many times it may begin again"});
    }
    Outcome outcome = summary(world);
    outcome.application = order_.application;
    outcome.failures = {{failure.what, at}};
    double watts = system.base_w;
    for (const Component& unit : system.components) watts += unit.power.idle_w;
    outcome.broken_off = {true, system.failures.repair_s, watts};
    finish_(std::move(outcome));
  }

  void run_native(World& world, Devices& devices, Process& process) {
    const auto& bodies = order_.native.bodies;
    const auto body = std::find_if(bodies.begin(), bodies.end(), [&](const auto& one) {
      return one.first == process.place.label;
    });
    Actor actor(application_, process);
    try {
      body->second(actor);
    } catch (const CallFault& fault) {
      world.fail(process, order_.application, fault.what());
      return;
    }
    devices.synchronise(process, nullptr);
  }

  /// The script outlives its process's end: others may be told of its line.
  void run_process(World& world, Devices& devices, Process& process,
                   std::unique_ptr<Script>& script) {
    const auto exceeded = [&](const std::string& place, const std::string& text) {
      world.fail(process, place.empty() ? order_.application : place, text);
    };
    script = std::make_unique<Script>(application_, &process, exceeded);
    process.line = [own = script.get()] { return own->line(); };
    if (const auto ran = script->run(); !ran) {
      world.fail(process, ran.error().place, ran.error().found);
      return;
    }
    devices.synchronise(process, nullptr);
    process.line = nullptr;
    script.reset();
  }

  const SimulationOptions& order_;
  const std::function<void(Outcome)>& finish_;
  Application application_;
};

}  // namespace

void simulate_here(const SimulationOptions& order, Pulse* pulse,
                   const std::function<void(Outcome)>& finish) {
  Run(order, pulse, finish).go();
}

}  // namespace forewarp::system
