// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#pragma once

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "system/engine/failures.h"
#include "system/engine/fault.h"
#include "system/engine/flows.h"
#include "system/engine/platform.h"
#include "system/engine/process.h"
#include "system/engine/timeline.h"

namespace forewarp::system {

/// What made an attempt end before its processes did.
struct Failure {
  std::string what;  ///< "gpu.1 failed while process GPU:1 ran on it"
  double at_s = 0;
};

/// What one process does, from begin to end, in its own thread of the simulation.
using Body = std::function<void(Process&)>;

/// The processes of one run on a platform, and all that they may ask for. There is one per child
/// process. Every call below is made from a running process and returns at the simulated time at
/// which it is done; a call that cannot be throws CallFault.
class World {
 public:
  /// Takes over when the run stops with an error; does not return.
  using End = std::function<void(const Diagnostic&)>;
  /// The same for a part of the system that failed.
  using Break = std::function<void(const Failure&)>;

  World(Platform& platform, const std::vector<Place>& places, End end);
  ~World();
  World(const World&) = delete;
  World& operator=(const World&) = delete;

  /// Runs all processes to their end.
  void run(const Body& body);
  /// The failures of this attempt, before it runs.
  void expect(std::vector<FailureEvent> failures, Break broken);

  [[nodiscard]] static double now();
  [[nodiscard]] const System& system() const { return platform_.system(); }
  [[nodiscard]] Platform& platform() { return platform_; }
  [[nodiscard]] Flows& flows() { return flows_; }
  [[nodiscard]] std::vector<Process>& processes() { return processes_; }
  [[nodiscard]] Timeline& timeline() { return timeline_; }
  [[nodiscard]] std::uint64_t messages() const { return messages_; }
  [[nodiscard]] double busy_s(std::size_t unit) const { return busy_[unit]; }
  [[nodiscard]] double active_j(std::size_t unit) const { return active_j_[unit]; }

  /// A block of a process on its own unit; `watts`: drawn meanwhile, below 0: as the unit says.
  void compute(Process& process, double seconds, Activity activity, const std::string& name,
               double watts = -1);
  void delay(Process& process, double seconds);
  /// Bytes from or to a disk, through the links to it, which work at the same time.
  void transfer(Process& process, std::size_t disk, double bytes, bool is_read);
  /// The disk of this name; empty: the only one that has a link to the process's unit.
  [[nodiscard]] std::size_t disk_of(const Process& process, const std::string& name) const;

  /// After the end: how many messages nobody received, and which was sent first; empty: none.
  [[nodiscard]] std::string never_received() const;

  /// Names of units whose clock changed; empty: none did.
  [[nodiscard]] std::string clocked_units() const;
  /// Runs a unit at one of its clocks from now on; what runs meanwhile goes on at that clock.
  void set_clock(std::size_t unit, double share);

  /// Bytes to another process; goes on at once. `costless`: an order of events that takes no time.
  /// `known`: what the message takes alone on its links, where it is not what the links say.
  Sending send(Process& process, std::uint32_t to, double bytes, std::int64_t tag, bool costless,
               const std::optional<MessageTime>& known = std::nullopt);
  /// Until the message is there.
  void wait_sent(Process& process, const Sending& sending);
  /// The first message that is expected, in the order in which they were sent.
  Message receive(Process& process, const Expectation& expected);

  /// The unit that `gpu` means to a process: its own where it runs on a GPU, else the one of that
  /// number among the GPUs that its unit has links to.
  std::size_t device_of(const Process& process, std::uint32_t gpu) const;

  /// The unit's number among the system's GPUs, in the order of the file.
  [[nodiscard]] std::uint32_t gpu_number(std::size_t unit) const { return gpu_numbers_[unit]; }

  /// Ends the run: "PLACE: process GPU:0 at 0.45 s: TEXT".
  void fail(const Process& process, const std::string& place, const std::string& text);

  // For the parts of a run that are not processes.
  /// As long as the system's clock says: whole ticks, where it has any.
  [[nodiscard]] double ticked(double seconds) const;
  /// Occupies a unit for `seconds` of its usual clock and counts that as the process's; `watts`
  /// drawn meanwhile, below 0: as unit and clock say.
  void occupy(Process& process, std::size_t unit, double seconds, double watts);
  /// Bytes on their way from one unit to another one to which links lead (Flows::start).
  std::shared_ptr<Flow> flow(std::size_t from, std::size_t to, double bytes, double latency_s,
                             double soonest);

 private:
  /// Work that has not ended.
  struct Work {
    Process* process = nullptr;
    std::size_t unit = 0;
    double begin = 0, watts = -1;
    double begin_share = 0;    ///< of Sharing::share
    std::uint64_t crowds = 0;  ///< of Sharing::crowds; they tell whether it was alone all the time
    bool began_alone = true;
  };

  /// Works at a time on one GPU, each of which has as large a share of it as the others.
  struct Sharing {
    std::uint32_t running = 0;
    double since = 0;          ///< as many run since then
    double share = 0;          ///< seconds so far that were each one's own
    std::uint64_t crowds = 0;  ///< times that another work joined one
  };

  /// A unit's clock from a time on.
  struct Clocked {
    double at = 0;
    ClockState state;
  };

  void follow_clock_changes();
  void follow_failures();
  void fail(const FailureEvent& event);
  /// What of the run needs the part now; empty: nothing.
  [[nodiscard]] std::string user_of(const FailureEvent& event) const;
  [[nodiscard]] std::string name_of(const FailureEvent& event) const;
  /// Ends the attempt where something that is down is about to be used.
  void need_unit(std::size_t unit, const char* what);
  void need_way(std::size_t from, std::size_t to);
  void break_off(const std::string& what);
  void count(const Work& work, double seconds);
  void begin_sharing(Work& work);
  /// The part of its time that a work on a GPU had that for itself; 1: it was alone.
  [[nodiscard]] double end_sharing(const Work& work);
  [[nodiscard]] double joules(std::size_t unit, double begin, double seconds, double watts) const;
  void start(Process& process, const Body& body);
  void deadlock();
  bool fits(const Message& message, const Expectation& expected) const;
  void arrive(Process& process, const Message& message, double asked_at);

  Platform& platform_;
  Flows flows_;
  End end_;
  Timeline timeline_;
  std::vector<Process> processes_;
  std::vector<double> busy_, active_j_;
  std::vector<std::uint32_t> gpu_numbers_;              ///< by unit
  std::map<std::size_t, std::vector<Clocked>> clocks_;  ///< changes so far, by unit
  std::uint64_t messages_ = 0;
  std::list<Work> works_;
  std::map<std::size_t, Sharing> sharing_;  ///< by unit
  std::vector<FailureEvent> failures_;
  Break broken_;
  std::set<std::size_t> down_units_, down_links_;
};

}  // namespace forewarp::system
