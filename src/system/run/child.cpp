// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "system/run/child.h"

#include <array>
#include <cerrno>
#include <cstring>
#include <ctime>
#include <fcntl.h>
#include <new>
#include <poll.h>
#include <string>
#include <sys/mman.h>
#include <unistd.h>
#include <utility>

#include "base/child.h"
#include "system/outcome/attempts.h"
#include "system/outcome/outcome_json.h"

namespace forewarp::system {
namespace {

/// Memory that parent and child see.
class SharedPulse {
 public:
  SharedPulse()
      : memory_(::mmap(nullptr, sizeof(Pulse), PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS,
                       -1, 0)) {
    if (memory_ != MAP_FAILED) new (memory_) Pulse;
  }
  SharedPulse(const SharedPulse&) = delete;
  SharedPulse& operator=(const SharedPulse&) = delete;
  ~SharedPulse() {
    if (memory_ != MAP_FAILED) ::munmap(memory_, sizeof(Pulse));
  }
  [[nodiscard]] Pulse* get() const {
    return memory_ == MAP_FAILED ? nullptr : static_cast<Pulse*>(memory_);
  }

 private:
  void* memory_;
};

Diagnostic system_fault(const char* what) {
  return {"the simulation", std::string(what) + ": " + std::strerror(errno), "", ""};
}

/// The child's part.
void simulate_in_child(const SimulationOptions& order, Pulse* pulse, int out) {
  const int nowhere = ::open("/dev/null", O_WRONLY | O_CLOEXEC);
  if (nowhere >= 0) {  // SimGrid writes what we say better
    ::dup2(nowhere, STDOUT_FILENO);
    ::dup2(nowhere, STDERR_FILENO);
  }
  simulate_here(order, pulse, [out, &order](const Outcome& outcome) {
    const std::string text = to_json(outcome, order.timeline);
    for (std::size_t at = 0; at < text.size();) {
      const ssize_t written = ::write(out, text.data() + at, text.size() - at);
      if (written < 0 && errno != EINTR) break;
      if (written > 0) at += static_cast<std::size_t>(written);
    }
    ::_exit(0);
  });
  ::_exit(1);
}

double processor_seconds(pid_t child) {
  clockid_t clock;
  timespec used{};
  if (::clock_getcpuclockid(child, &clock) != 0 || ::clock_gettime(clock, &used) != 0) return 0;
  constexpr double per_nano = 1e-9;
  return static_cast<double>(used.tv_sec) + per_nano * static_cast<double>(used.tv_nsec);
}

/// Whether the script gives no sign of life for too long.
class Watch {
 public:
  Watch(pid_t child, const Pulse* pulse, double most_stuck_s)
      : child_(child), pulse_(pulse), most_stuck_s_(most_stuck_s) {}

  [[nodiscard]] bool stuck() {
    const std::uint64_t beats = pulse_->beats;
    const double used = processor_seconds(child_);
    if (beats != beats_ || !pulse_->in_script) {
      beats_ = beats;
      since_ = used;
    }
    return used - since_ > most_stuck_s_;
  }

 private:
  pid_t child_;
  const Pulse* pulse_;
  double most_stuck_s_;
  std::uint64_t beats_ = 0;
  double since_ = 0;
};

/// All that the child writes; false: it got stuck.
bool read_all(int in, Watch& watch, std::string& text) {
  constexpr int every_ms = 100;
  std::array<char, 1 << 16> part;
  for (;;) {
    pollfd waiting{in, POLLIN, 0};
    const int ready = ::poll(&waiting, 1, every_ms);
    if (ready < 0 && errno != EINTR) return true;
    if (ready > 0) {
      const ssize_t size = ::read(in, part.data(), part.size());
      if (size == 0 || (size < 0 && errno != EINTR)) return true;
      if (size > 0) text.append(part.data(), static_cast<std::size_t>(size));
    } else if (watch.stuck()) {
      return false;
    }
  }
}

std::string ended_text(const ChildEnd& end) {
  return end.signal != 0 ? "its process was ended " + end.text()
                         : "its process ended " + end.text();
}

Expected<Outcome> attempted(const SimulationOptions& order, double most_stuck_s) {
  const SharedPulse shared;
  if (shared.get() == nullptr) return system_fault("no memory to watch it");
  auto child = Child::run([&](int output) { simulate_in_child(order, shared.get(), output); });
  if (!child) {
    Diagnostic fault = std::move(child).error();
    fault.place = "the simulation";
    return fault;
  }
  Watch watch(child->process(), shared.get(), most_stuck_s);
  std::string text;
  const bool came_to_end = read_all(child->output(), watch, text);
  const ChildEnd end = came_to_end ? child->wait() : child->end();
  if (!came_to_end) {
    const std::uint32_t line = shared.get()->line;
    Outcome outcome;
    outcome.system = order.system;
    outcome.application = order.application;
    outcome.error =
        Diagnostic{order.application, "a function that the script called does not come back", "",
                   line == 0 ? "" : "it was near line " + std::to_string(line) + " before"};
    return outcome;
  }
  if (end.signal != 0 || end.code != 0) {
    return Diagnostic{"the simulation", ended_text(end), "", ""};
  }
  return outcome_from_json(text);
}

}  // namespace

Expected<Outcome> simulate(const SimulationOptions& order, double most_stuck_s) {
  SimulationOptions next = order;
  Outcome earlier;
  for (;;) {
    auto outcome = attempted(next, most_stuck_s);
    if (!outcome || outcome->error) return outcome;
    const double own_s = outcome->overall_s;
    add_earlier(earlier, next.attempt.began_s, *outcome);
    if (!outcome->broken_off.is_so) return outcome;
    const BrokenOff broken = std::exchange(outcome->broken_off, {});
    add_repair(broken, *outcome);
    earlier = *std::move(outcome);
    next.attempt.began_s += own_s + broken.repair_s;
    ++next.attempt.number;
  }
}

}  // namespace forewarp::system
