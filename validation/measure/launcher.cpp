// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Measures launches on the GPU at hand through its driver alone: no CUDA toolkit is needed to build or to run it.
//
//   launcher CASES RESULTS [SECONDS]
//
// CASES, one launch a line, fields apart by tabs: id, module file, kernel, grid X,Y,Z or "sms" (a block on every SM),
// block X,Y,Z, dynamic shared bytes, arguments (separated by spaces): bBYTES a buffer of zeros, iN a 32-bit and lN a
// 64-bit integer, fX and dX floating numbers.
// RESULTS, a CSV file, gets a line per launch as soon as it is measured; what it holds already is not measured again,
// so a run that was ended goes on. Ends after SECONDS (480), with 3 while launches are left and 0 when none is.
#include <dlfcn.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <map>
#include <set>
#include <sstream>
#include <string>
#include <vector>

namespace {

using Handle = void *;
using Address = unsigned long long;

[[noreturn]] void fail(const std::string &what) {
  std::fprintf(stderr, "launcher: %s\n", what.c_str());
  std::exit(1);
}

/// The part of the driver's interface that is used, opened while the program runs.
class Driver {
 public:
  Driver() {
    library_ = dlopen("libcuda.so.1", RTLD_NOW);
    if (library_ == nullptr) fail("no driver: libcuda.so.1 is not found");
    check(call("cuInit", 0U), "the driver");
    check(call("cuDeviceGet", &device_, 0), "a GPU");
    char name[128] = {};
    check(call("cuDeviceGetName", name, 127, device_), "the GPU's name");
    this->name = name;
    sms = attribute(16);
    major = attribute(75);
    minor = attribute(76);
    stated_mhz = attribute(13) / 1000.0;
    Handle context = nullptr;
    check(call("cuDevicePrimaryCtxRetain", &context, device_), "a context");
    check(call("cuCtxSetCurrent", context), "a context");
  }

  template <typename... Arguments>
  int call(const char *function, Arguments... arguments) const {
    using Function = int (*)(Arguments...);
    void *symbol = dlsym(library_, function);
    if (symbol == nullptr) fail(std::string("the driver has no ") + function);
    return reinterpret_cast<Function>(symbol)(arguments...);
  }
  static void check(int code, const std::string &what) {
    if (code != 0) fail(what + ": the driver answers " + std::to_string(code));
  }
  [[nodiscard]] int attribute(int which) const {
    int value = 0;
    check(call("cuDeviceGetAttribute", &value, which, device_), "an attribute of the GPU");
    return value;
  }

  std::string name;
  int sms = 0, major = 0, minor = 0;
  double stated_mhz = 0;

 private:
  void *library_ = nullptr;
  int device_ = 0;
};

/// Clock and power of the first board, where its management library is there.
class Board {
 public:
  Board() {
    library_ = dlopen("libnvidia-ml.so.1", RTLD_NOW);
    if (library_ == nullptr) return;
    const auto init = function<int()>("nvmlInit_v2");
    const auto find = function<int(unsigned, void **)>("nvmlDeviceGetHandleByIndex_v2");
    clock_ = function<int(void *, int, unsigned *)>("nvmlDeviceGetClockInfo");
    power_ = function<int(void *, unsigned *)>("nvmlDeviceGetPowerUsage");
    if (init == nullptr || find == nullptr || init() != 0 || find(0, &handle_) != 0) handle_ = nullptr;
  }
  [[nodiscard]] double clock_mhz(double otherwise) const {
    constexpr int of_the_sms = 1;
    unsigned mhz = 0;
    const bool known = handle_ != nullptr && clock_ != nullptr && clock_(handle_, of_the_sms, &mhz) == 0;
    return known && mhz != 0 ? mhz : otherwise;
  }
  [[nodiscard]] double power_w() const {
    unsigned milliwatts = 0;
    if (handle_ == nullptr || power_ == nullptr || power_(handle_, &milliwatts) != 0) return -1;
    return milliwatts / 1000.0;
  }

 private:
  template <typename F>
  F *function(const char *name) const {
    return reinterpret_cast<F *>(dlsym(library_, name));
  }
  void *library_ = nullptr, *handle_ = nullptr;
  int (*clock_)(void *, int, unsigned *) = nullptr;
  int (*power_)(void *, unsigned *) = nullptr;
};

struct Case {
  std::string id, module, kernel;
  unsigned grid[3] = {1, 1, 1}, block[3] = {1, 1, 1};
  bool every_sm = false;
  unsigned shared = 0;
  std::vector<std::string> arguments;
};

std::vector<std::string> split(const std::string &line, char at) {
  std::vector<std::string> parts;
  std::istringstream stream(line);
  for (std::string part; std::getline(stream, part, at);) parts.push_back(part);
  return parts;
}

void read_extent(const std::string &text, unsigned (&extent)[3]) {
  const auto parts = split(text, ',');
  for (std::size_t i = 0; i < parts.size() && i < 3; ++i) extent[i] = static_cast<unsigned>(std::stoul(parts[i]));
}

std::vector<Case> read_cases(const char *file) {
  std::ifstream stream(file);
  if (!stream) fail(std::string(file) + " cannot be read");
  std::vector<Case> cases;
  for (std::string line; std::getline(stream, line);) {
    const auto fields = split(line, '\t');
    if (fields.size() < 6) fail(std::string(file) + ": a line of fewer than six fields: " + line);
    Case one;
    one.id = fields[0], one.module = fields[1], one.kernel = fields[2];
    one.every_sm = fields[3] == "sms";
    if (!one.every_sm) read_extent(fields[3], one.grid);
    read_extent(fields[4], one.block);
    one.shared = static_cast<unsigned>(std::stoul(fields[5]));
    if (fields.size() > 6) one.arguments = split(fields[6], ' ');
    cases.push_back(std::move(one));
  }
  return cases;
}

/// Ids that RESULTS holds. A last line that was cut is taken away.
std::set<std::string> measured_before(const std::string &file) {
  std::set<std::string> known;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) return known;
  std::stringstream all;
  all << stream.rdbuf();
  const std::string text = all.str();
  const std::size_t end = text.rfind('\n') + 1;  // 0 where there is none
  if (end != text.size() && truncate(file.c_str(), static_cast<off_t>(end)) != 0) fail(file + " cannot be mended");
  for (const std::string &line : split(text.substr(0, end), '\n')) known.insert(line.substr(0, line.find(',')));
  return known;
}

double seconds_since(std::chrono::steady_clock::time_point start) {
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

class Launches {
 public:
  explicit Launches(const Driver &driver) : driver_(driver) {}

  /// Empty: measured. Else why not.
  std::string measure(const Case &one, const Board &board, std::FILE *results);

 private:
  Handle function(const Case &one, std::string &why);
  double once(const Case &one, Handle kernel, std::vector<void *> &places, int times);

  const Driver &driver_;
  std::map<std::string, Handle> modules_;
  Handle from_ = nullptr, to_ = nullptr;
};

Handle Launches::function(const Case &one, std::string &why) {
  Handle &module = modules_[one.module];
  if (module == nullptr && driver_.call("cuModuleLoad", &module, one.module.c_str()) != 0) {
    why = "the module " + one.module + " does not load";
    module = nullptr;
    return nullptr;
  }
  Handle kernel = nullptr;
  if (driver_.call("cuModuleGetFunction", &kernel, module, one.kernel.c_str()) != 0) {
    why = "no kernel of this name for this board";
    return nullptr;
  }
  constexpr int dynamic_shared = 8;
  if (one.shared > 0) driver_.call("cuFuncSetAttribute", kernel, dynamic_shared, static_cast<int>(one.shared));
  return kernel;
}

/// Milliseconds of `times` launches back to back, between two events.
double Launches::once(const Case &one, Handle kernel, std::vector<void *> &places, int times) {
  const unsigned x = one.every_sm ? static_cast<unsigned>(driver_.sms) : one.grid[0];
  Driver::check(driver_.call("cuEventRecord", from_, Handle{}), "an event");
  for (int i = 0; i < times; ++i) {
    Driver::check(driver_.call("cuLaunchKernel", kernel, x, one.grid[1], one.grid[2], one.block[0], one.block[1],
                               one.block[2], one.shared, Handle{}, places.data(), static_cast<void **>(nullptr)),
                  one.id);
  }
  Driver::check(driver_.call("cuEventRecord", to_, Handle{}), "an event");
  Driver::check(driver_.call("cuEventSynchronize", to_), one.id);
  float time = 0;
  Driver::check(driver_.call("cuEventElapsedTime", &time, from_, to_), "a time");
  return time;
}

std::string Launches::measure(const Case &one, const Board &board, std::FILE *results) {
  constexpr double warm_ms = 60, wanted_ms = 150;  // a board that leaves idle runs at half its clock
  constexpr int least = 5, most = 40, batch = 20;
  std::string why;
  const Handle kernel = function(one, why);
  if (kernel == nullptr) return why;
  if (from_ == nullptr) {
    Driver::check(driver_.call("cuEventCreate", &from_, 0U), "an event");
    Driver::check(driver_.call("cuEventCreate", &to_, 0U), "an event");
  }
  std::vector<Address> words(one.arguments.size());
  std::vector<Address> buffers;
  std::vector<void *> places;
  for (std::size_t i = 0; i < words.size() && why.empty(); ++i) {
    const char kind = one.arguments[i].empty() ? ' ' : one.arguments[i][0];
    const char *text = one.arguments[i].c_str() + 1;
    if (kind == 'b') {
      const std::size_t bytes = std::strtoull(text, nullptr, 10);
      if (driver_.call("cuMemAlloc_v2", &words[i], bytes) != 0) {
        why = "the memory does not hold it";
      } else {
        buffers.push_back(words[i]);
        driver_.call("cuMemsetD8_v2", words[i], static_cast<unsigned char>(0), bytes);
      }
    } else if (kind == 'f') {
      const float value = std::strtof(text, nullptr);
      std::memcpy(&words[i], &value, sizeof value);
    } else if (kind == 'd') {
      const double value = std::strtod(text, nullptr);
      std::memcpy(&words[i], &value, sizeof value);
    } else {
      const long long value = std::strtoll(text, nullptr, 10);
      std::memcpy(&words[i], &value, sizeof value);
    }
    places.push_back(&words[i]);
  }
  if (why.empty()) {
    double spent = 0, first = 1e-3;
    while (spent < warm_ms) spent += first = std::max(1e-3, once(one, kernel, places, 1));
    const int count = std::clamp(static_cast<int>(wanted_ms / first), least, most);
    std::vector<double> times;
    for (int i = 0; i < count; ++i) times.push_back(once(one, kernel, places, 1));
    const double clock = board.clock_mhz(driver_.stated_mhz), power = board.power_w();
    const double in_batch = first < 10 ? once(one, kernel, places, batch) / batch : 0;
    std::sort(times.begin(), times.end());
    const double median = times[times.size() / 2];
    const double spread = (times[times.size() * 3 / 4] - times[times.size() / 4]) / median;
    std::fprintf(results, "%s,%s,%d.%d,%.6g,%.6g,%.4g,%d,%.0f,%.1f\n", one.id.c_str(), driver_.name.c_str(), driver_.major,
                 driver_.minor, median, in_batch, spread, count, clock, power);
    std::fflush(results);
    fsync(fileno(results));
  }
  for (const Address buffer : buffers) driver_.call("cuMemFree_v2", buffer);
  return why;
}

}  // namespace

int main(int count, char **words) {
  if (count < 3) fail("usage: launcher CASES RESULTS [SECONDS]");
  const double limit = count > 3 ? std::atof(words[3]) : 480;
  const auto start = std::chrono::steady_clock::now();
  const std::vector<Case> cases = read_cases(words[1]);
  const std::set<std::string> known = measured_before(words[2]);
  std::FILE *results = std::fopen(words[2], "a");
  if (results == nullptr) fail(std::string(words[2]) + " cannot be written");
  if (known.empty()) std::fprintf(results, "id,board,cc,measured_ms,batch_ms,spread,repetitions,clock_mhz,power_w\n");
  const Driver driver;
  const Board board;
  Launches launches(driver);
  std::size_t done = 0, left = 0, refused = 0;
  for (const Case &one : cases) {
    if (known.count(one.id) != 0) continue;
    if (seconds_since(start) > limit) {
      ++left;
      continue;
    }
    const std::string why = launches.measure(one, board, results);
    if (!why.empty()) std::fprintf(stderr, "launcher: %s: %s\n", one.id.c_str(), why.c_str());
    why.empty() ? ++done : ++refused;
  }
  std::fprintf(stderr, "launcher: %zu measured on %s, %zu refused, %zu left, %zu known before\n", done, driver.name.c_str(),
               refused, left, known.empty() ? 0 : known.size() - 1);
  std::fclose(results);
  return left > 0 ? 3 : 0;
}
