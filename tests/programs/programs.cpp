// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// Programs that use a GPU, each a word of the command line. What they check of results and times is
// printed as PASS or MISS with a figure; the exit code is 1 for MISS. Their kernels are in
// kernels.fatbin, whose path is compiled in.
#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <csignal>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <dlfcn.h>
#include <functional>
#include <future>
#include <limits>
#include <map>
#include <mutex>
#include <numeric>
#include <pthread.h>
#include <semaphore.h>
#include <string>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <sys/times.h>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include "runtime.h"

extern "C" const char kernel_image[];
asm(".section .rodata\n.balign 16\nkernel_image: .incbin \"" KERNELS "\"\n.previous\n");

namespace {

struct Wrapper {
  std::uint32_t magic = 0x466243b1, version = 1;
  const void* data = kernel_image;
  const void* more = nullptr;
};
const Wrapper wrapper;

const char* const names[] = {"empty",     "axpy",    "affine",    "sum",      "scan",
                             "variables", "work",    "outside",   "deadlock", "endless",
                             "counted",   "strided", "neighbours"};
char stubs[std::size(names)];
float factors[4];
int counter;

/// As host code that nvcc makes does, before main().
struct Registration {
  Registration() {
    void** const handle = __cudaRegisterFatBinary(&wrapper);
    for (std::size_t i = 0; i < std::size(names); ++i) {
      register_kernel(handle, &stubs[i], names[i]);
    }
    register_variable(handle, factors, "factors", sizeof factors, true);
    register_variable(handle, &counter, "counter", sizeof counter, false);
    __cudaRegisterFatBinaryEnd(handle);
  }
} const registration;

void check(int code, const char* what) {
  if (code == 0) return;
  std::printf("%s: %s\n", what, cudaGetErrorString(code));
  std::exit(2);
}
#define CHECK(call) check(call, #call)

template <class... Values>
int launch(const char* name, unsigned grid, unsigned block, std::size_t shared, void* stream,
           Values... values) {
  void* places[] = {&values..., nullptr};
  for (std::size_t i = 0; i < std::size(names); ++i) {
    if (std::strcmp(names[i], name) == 0)
      return cudaLaunchKernel(&stubs[i], {grid}, {block}, places, shared, stream);
  }
  return -1;
}

template <class T>
T* on_device(std::size_t count) {
  void* made = nullptr;
  CHECK(cudaMalloc(&made, count * sizeof(T)));
  return static_cast<T*>(made);
}

struct Timer {
  void *begin = nullptr, *end = nullptr;
  Timer() {
    CHECK(cudaEventCreate(&begin));
    CHECK(cudaEventCreate(&end));
  }
  template <class Work>
  double ms(Work work) {
    CHECK(cudaDeviceSynchronize());
    CHECK(cudaEventRecord(begin, nullptr));
    work();
    CHECK(cudaEventRecord(end, nullptr));
    CHECK(cudaEventSynchronize(end));
    float value = 0;
    CHECK(cudaEventElapsedTime(&value, begin, end));
    return value;
  }
};

/// Kernels that run while the host makes its next calls, on a busy machine too.
void occupy(void* stream, float* values) {
  for (int i = 0; i < 20; ++i) CHECK(launch("work", 1, 32, 0, stream, values, 400000));
}

/// As Timer::ms, but behind kernels that run while the host makes its calls: what is timed then
/// waits on the device alone, as work of a stream does. The fastest of three: a busy host may be
/// late once.
template <class Work>
double queued_ms(Timer& timer, Work work, int tries = 3) {
  static float* const occupied = on_device<float>(32);
  float fastest = std::numeric_limits<float>::max();
  for (int i = 0; i < tries; ++i) {
    CHECK(cudaDeviceSynchronize());
    occupy(nullptr, occupied);
    CHECK(cudaEventRecord(timer.begin, nullptr));
    work();
    CHECK(cudaEventRecord(timer.end, nullptr));
    CHECK(cudaEventSynchronize(timer.end));
    float value = 0;
    CHECK(cudaEventElapsedTime(&value, timer.begin, timer.end));
    fastest = std::min(fastest, value);
  }
  return fastest;
}

/// What a pair of events around nothing says.
double nothing_ms(Timer& timer) {
  return queued_ms(timer, [] {});
}

int verdict(bool holds, const std::string& figure) {
  std::printf("%s %s\n", holds ? "PASS" : "MISS", figure.c_str());
  return holds ? 0 : 1;
}
/// Two times that should be the same, to 2 %.
int near(double found, double expected) {
  char text[96];
  std::snprintf(text, sizeof text, "%.5g ms, by hand %.5g ms", found, expected);
  return verdict(std::fabs(found - expected) <= 0.02 * expected, text);
}

int results() {
  constexpr int n = 10000;
  std::vector<float> x(n), y(n), got(n);
  for (int i = 0; i < n; ++i) {
    x[i] = 0.25f * static_cast<float>(i);
    y[i] = static_cast<float>(i % 7);
  }
  float* const dx = on_device<float>(n);
  float* const dy = on_device<float>(n);
  CHECK(cudaMemcpy(dx, x.data(), n * 4, to_device));
  CHECK(cudaMemcpy(dy, y.data(), n * 4, to_device));
  CHECK(launch("axpy", (n + 255) / 256, 256, 0, nullptr, n, 3.0f, dx, dy));
  CHECK(cudaMemcpy(got.data(), dy, n * 4, to_host));
  int wrong = 0;
  for (int i = 0; i < n; ++i) wrong += got[i] != std::fma(3.0f, x[i], y[i]);

  struct Affine {
    float scale;
    double shift;
    short step;
  } const by{1.5f, 0.125, 3};
  std::vector<double> line(n);
  double* const dline = on_device<double>(n);
  CHECK(launch("affine", (n + 127) / 128, 128, 0, nullptr, by, n, dline));
  CHECK(cudaMemcpy(line.data(), dline, n * 8, to_host));
  for (int i = 0; i < n; ++i)
    wrong += line[i] != static_cast<double>(1.5f * static_cast<float>(i * 3)) + 0.125;

  std::vector<int> numbers(n);
  std::iota(numbers.begin(), numbers.end(), -17);
  int* const dnumbers = on_device<int>(n);
  int* const dsum = on_device<int>(1);
  CHECK(cudaMemcpy(dnumbers, numbers.data(), n * 4, to_device));
  CHECK(cudaMemset(dsum, 0, 4));
  CHECK(launch("sum", 7, 256, 0, nullptr, n, dnumbers, dsum));
  int total = 0;
  CHECK(cudaMemcpy(&total, dsum, 4, to_host));
  wrong += total != std::accumulate(numbers.begin(), numbers.end(), 0);

  CHECK(launch("scan", 1, 512, 512 * 4, nullptr, 500, dnumbers));
  std::vector<int> sums(512);
  CHECK(cudaMemcpy(sums.data(), dnumbers, 512 * 4, to_host));
  std::partial_sum(numbers.begin(), numbers.begin() + 500, numbers.begin());
  for (int i = 0; i < 512; ++i) wrong += sums[i] != numbers[i];

  const float other[4] = {1, 2, 30, 4};
  CHECK(cudaMemcpyToSymbol(factors, other, sizeof other, 0, to_device));
  int* const order = on_device<int>(64);
  CHECK(launch("variables", 1, 64, 0, nullptr, dx, order));
  CHECK(cudaMemcpy(got.data(), dx, 64 * 4, to_host));
  int counted = 0;
  CHECK(cudaMemcpyFromSymbol(&counted, &counter, 4, 0, to_host));
  wrong += counted != 64;
  for (int i = 0; i < 64; ++i) wrong += got[i] != other[i % 4] * static_cast<float>(i);
  const int digits[8] = {3, 1, 4, 1, 5, 9, 2, 6};
  std::vector<int> read(64);
  CHECK(cudaMemcpy(read.data(), order, 64 * 4, to_host));
  for (int i = 0; i < 64; ++i) wrong += read[i] != digits[i % 8];
  return verdict(wrong == 0, std::to_string(wrong) + " values differ");
}

/// A copy in, a kernel and a copy out in each of four streams. Each engine does one thing at a
/// time, in the order of the calls.
int overlap() {
  constexpr int streams = 4, blocks = 2048, block = 256, rounds = 3000;
  constexpr std::size_t bytes = std::size_t{blocks} * block * 4;
  void* host = nullptr;
  CHECK(cudaMallocHost(&host, bytes * streams));
  std::memset(host, 0, bytes * streams);
  float* device[streams];
  void* stream[streams];
  for (int i = 0; i < streams; ++i) {
    device[i] = on_device<float>(bytes / 4);
    CHECK(cudaStreamCreate(&stream[i]));
  }
  Timer timer;
  const double nothing = nothing_ms(timer);
  const double in =
      queued_ms(timer, [&] { CHECK(cudaMemcpyAsync(device[0], host, bytes, to_device, nullptr)); });
  const double run = queued_ms(
      timer, [&] { CHECK(launch("work", blocks, block, 0, nullptr, device[0], rounds)); });
  const double out =
      queued_ms(timer, [&] { CHECK(cudaMemcpyAsync(host, device[0], bytes, to_host, nullptr)); });
  const double all = queued_ms(timer, [&] {
    for (int i = 0; i < streams; ++i) {
      char* const part = static_cast<char*>(host) + bytes * static_cast<std::size_t>(i);
      CHECK(cudaMemcpyAsync(device[i], part, bytes, to_device, stream[i]));
      CHECK(launch("work", blocks, block, 0, stream[i], device[i], rounds));
      CHECK(cudaMemcpyAsync(part, device[i], bytes, to_host, stream[i]));
    }
  });
  double in_end = 0, run_end = 0, out_end = 0;
  for (int i = 0; i < streams; ++i) {
    in_end += in - nothing;
    run_end = std::fmax(in_end, run_end) + run - nothing;
    out_end = std::fmax(run_end, out_end) + out - nothing;
  }
  return near(all - nothing, out_end);
}

/// Two streams, the second of which waits for an event of the first.
int events() {
  float* const x = on_device<float>(2048 * 256);
  float* const y = on_device<float>(2048 * 256);
  void *first = nullptr, *second = nullptr, *done = nullptr, *start = nullptr;
  CHECK(cudaStreamCreateWithFlags(&first, 1));
  CHECK(cudaStreamCreateWithFlags(&second, 1));
  CHECK(cudaEventCreate(&done));
  CHECK(cudaEventCreate(&start));
  Timer timer;
  const auto whole = [&] { CHECK(launch("work", 2048, 256, 0, nullptr, x, 4000)); };
  const double one = queued_ms(timer, whole);
  CHECK(cudaDeviceSynchronize());
  occupy(first, x);
  CHECK(cudaEventRecord(start, first));
  CHECK(launch("work", 2048, 256, 0, first, x, 4000));
  CHECK(cudaEventRecord(done, first));
  CHECK(cudaStreamWaitEvent(second, done, 0));
  CHECK(launch("work", 2048, 256, 0, second, y, 4000));
  CHECK(cudaEventRecord(timer.end, second));
  CHECK(cudaEventSynchronize(timer.end));
  float ms = 0;
  CHECK(cudaEventElapsedTime(&ms, start, timer.end));
  return near(ms, 2 * one);
}

/// A kernel in the legacy default stream is between kernels of blocking streams, not between those
/// of others.
int default_stream() {
  float* const x = on_device<float>(1024 * 32);
  void *blocking = nullptr, *other = nullptr;
  CHECK(cudaStreamCreate(&blocking));
  CHECK(cudaStreamCreateWithFlags(&other, 1));
  Timer timer;
  const auto work = [&](void* stream) { CHECK(launch("work", 8, 32, 0, stream, x, 20000)); };
  const double one = queued_ms(timer, [&] { work(nullptr); });
  const double beside = queued_ms(timer, [&] {
    work(nullptr);
    work(other);
    CHECK(cudaStreamSynchronize(other));
  });
  const double behind = queued_ms(timer, [&] {
    work(blocking);
    work(nullptr);
    work(blocking);
  });
  const double nothing = nothing_ms(timer);
  if (near(beside, one) != 0) return 1;
  return near(behind - nothing, 3 * (one - nothing));
}

/// Clocks and events agree on a kernel that takes long.
int clocks() {
  float* const x = on_device<float>(2048 * 256);
  const auto work = [&] { CHECK(launch("work", 2048, 256, 0, nullptr, x, 20000)); };
  Timer timer;
  work();  // the first launch of a kernel loads its code
  const double one = timer.ms(work);
  const auto begin = std::chrono::steady_clock::now();
  work();
  CHECK(cudaDeviceSynchronize());
  const std::chrono::duration<double, std::milli> passed = std::chrono::steady_clock::now() - begin;
  return near(passed.count(), one);
}

/// Sets the program's clock far back or forward against the machine's: kernels that take longer to
/// execute than on the board, or that are repeated and take their time without being executed.
void move_clock(bool forward) {
  static float* const x = on_device<float>(2048 * 256);
  const auto machine = [] {
    timespec at{};
    syscall(SYS_clock_gettime, CLOCK_MONOTONIC, &at);
    return static_cast<double>(at.tv_sec) + 1e-9 * static_cast<double>(at.tv_nsec);
  };
  const auto program = [] {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch())
        .count();
  };
  constexpr double far_s = 1;
  const double before = program() - machine();
  for (int i = 0; std::fabs(program() - machine() - before) < far_s; ++i) {
    if (!forward) CHECK(cudaMemset(x, i, 2048 * 256 * 4));  // other contents: executed again
    if (!forward) CHECK(launch("work", 2048, 256, 0, nullptr, x, 200 + i));
    if (forward) {
      for (int k = 0; k < 1000; ++k) CHECK(launch("work", 1, 32, 0, nullptr, x + 4096, 40000));
    }
    CHECK(cudaDeviceSynchronize());
  }
}

/// Waits until a moment take their time by the program's own clock, however far that is from the
/// machine's.
int timed_waits() {
  using namespace std::chrono_literals;
  using Clock = std::chrono::steady_clock;
  std::mutex mutex;
  std::timed_mutex held;
  held.lock();
  std::condition_variable condition;
  std::promise<int> promise;
  std::future<int> future = promise.get_future();
  sem_t semaphore;
  sem_init(&semaphore, 0, 0);
  const auto moment = [](clockid_t clock) {
    timespec at{};
    clock_gettime(clock, &at);
    at.tv_nsec += 50'000'000;
    if (at.tv_nsec >= 1'000'000'000) {
      at.tv_nsec -= 1'000'000'000;
      ++at.tv_sec;
    }
    return at;
  };
  const std::map<std::string, std::function<bool()>> waits{
      {"condition",
       [&] {
         std::unique_lock lock(mutex);
         return !condition.wait_for(lock, 50ms, [] { return false; });
       }},
      {"condition by the system's clock",
       [&] {
         std::unique_lock lock(mutex);
         return !condition.wait_until(lock, std::chrono::system_clock::now() + 50ms,
                                      [] { return false; });
       }},
      {"future", [&] { return future.wait_for(50ms) == std::future_status::timeout; }},
      {"mutex",
       [&] {
         return std::async(std::launch::async, [&] { return !held.try_lock_for(50ms); }).get();
       }},
      {"semaphore",
       [&] {
         const timespec at = moment(CLOCK_REALTIME);
         return sem_timedwait(&semaphore, &at) == -1 && errno == ETIMEDOUT;
       }},
      {"sleep",
       [&] {
         const timespec at = moment(CLOCK_MONOTONIC);
         return clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &at, nullptr) == 0;
       }},
  };
  int wrong = 0;
  for (const bool forward : {false, true, true, false}) {
    move_clock(forward);
    for (const auto& [name, wait] : waits) {
      const auto begin = Clock::now();
      const bool over = wait();
      const std::chrono::duration<double> passed = Clock::now() - begin;
      if (over && passed >= 49ms && passed < 900ms) continue;
      std::printf("%s, %s: %.3f s\n", name.c_str(), forward ? "forward" : "back", passed.count());
      ++wrong;
    }
  }
  held.unlock();
  return verdict(wrong == 0, std::to_string(wrong) + " waits differ");
}

/// Processor time passes as the clock does: not as the kernels take it here.
int processor_time() {
  constexpr double slack_s = 0.3;  // a busy machine; the clock is moved by more
  const auto used_by = [](const std::function<double()>& now) {
    const double before = now();
    const auto begin = std::chrono::steady_clock::now();
    move_clock(false);
    move_clock(true);
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - begin;
    return std::fabs(now() - before - passed.count());
  };
  CHECK(cudaFree(nullptr));
  int wrong = 0;
  const auto judge = [&](const char* name, const std::function<double()>& now) {
    const double off = used_by(now);
    if (off > slack_s) std::printf("%s: %.3f s more or less\n", name, off);
    wrong += off > slack_s;
  };
  judge("clock", [] { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; });
  judge("clock_gettime", [] {
    timespec at{};
    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &at);
    return static_cast<double>(at.tv_sec) + 1e-9 * static_cast<double>(at.tv_nsec);
  });
  judge("getrusage", [] {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    return static_cast<double>(used.ru_utime.tv_sec + used.ru_stime.tv_sec) +
           1e-6 * static_cast<double>(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
  });
  judge("times", [] {
    tms used{};
    times(&used);
    return static_cast<double>(used.tms_utime + used.tms_stime) /
           static_cast<double>(sysconf(_SC_CLK_TCK));
  });
  judge("times of day", [] {
    tms used{};
    return static_cast<double>(times(&used)) / static_cast<double>(sysconf(_SC_CLK_TCK));
  });
  return verdict(wrong == 0, std::to_string(wrong) + " clocks differ");
}

/// A forked child's clock goes on from its parent's, by what its own first calls take.
int fork_clock() {
  using Clock = std::chrono::steady_clock;
  move_clock(true);
  move_clock(true);
  const auto begin = Clock::now();
  const pid_t child = fork();
  if (child == 0) {
    CHECK(cudaFree(nullptr));
    const std::chrono::duration<double> passed = Clock::now() - begin;
    std::exit(verdict(passed.count() >= 0 && passed.count() < 0.9,
                      std::to_string(passed.count()) + " s in the child"));
  }
  int status = 0;
  waitpid(child, &status, 0);
  return WEXITSTATUS(status);
}

/// From a launch to the return of a wait for it: the board's 7.3 us, and what the host itself
/// takes.
int waits() {
  constexpr int rounds = 100;
  const auto round = [] {
    CHECK(launch("empty", 1, 32, 0, nullptr));
    CHECK(cudaDeviceSynchronize());
  };
  round();
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < rounds; ++i) round();
  const std::chrono::duration<double, std::micro> passed = std::chrono::steady_clock::now() - begin;
  const double each = passed.count() / rounds;
  return verdict(each >= 7.3 && each <= 15, std::to_string(each) + " us");
}

int managed() {
  void* made = nullptr;
  CHECK(cudaMallocManaged(&made, 1000 * 4, 1));
  auto* const x = static_cast<float*>(made);
  for (int i = 0; i < 1000; ++i) x[i] = static_cast<float>(i);
  CHECK(launch("axpy", 4, 256, 0, nullptr, 1000, 2.0f, x, x));
  CHECK(cudaDeviceSynchronize());
  int wrong = 0;
  for (int i = 0; i < 1000; ++i) wrong += x[i] != 3.0f * static_cast<float>(i);
  return verdict(wrong == 0, std::to_string(wrong) + " values differ");
}

int graph() {
  float* const x = on_device<float>(2048 * 256);
  void *stream = nullptr, *made = nullptr, *ready = nullptr;
  CHECK(cudaStreamCreate(&stream));
  Timer timer;
  const double one = queued_ms(timer, [&] { CHECK(launch("work", 8, 32, 0, nullptr, x, 200000)); });
  CHECK(cudaStreamBeginCapture(stream, 0));
  for (int i = 0; i < 10; ++i) CHECK(launch("work", 8, 32, 0, stream, x, 200000));
  CHECK(cudaStreamEndCapture(stream, &made));
  CHECK(cudaGraphInstantiate(&ready, made, nullptr, nullptr, 0));
  return near(queued_ms(timer, [&] { CHECK(cudaGraphLaunch(ready, stream)); }), 10 * one);
}

int peer() {
  constexpr std::size_t bytes = 64 << 20;
  int count = 0;
  CHECK(cudaGetDeviceCount(&count));
  if (count < 2) return verdict(false, "one device");
  float* const first = on_device<float>(bytes / 4);
  CHECK(cudaMemset(first, 1, bytes));
  CHECK(cudaSetDevice(1));
  float* const second = on_device<float>(bytes / 4);
  Timer timer;
  const double between =
      queued_ms(timer, [&] { CHECK(cudaMemcpyPeer(second, 1, first, 0, bytes)); });
  std::uint32_t last = 0;
  CHECK(cudaMemcpy(&last, second + bytes / 4 - 1, 4, to_host));
  if (last != 0x01010101) return verdict(false, "the last word is not copied");
  // Boards without a link of their own pass data over the host's link, as a copy of pinned memory.
  void* host = nullptr;
  CHECK(cudaMallocHost(&host, bytes));
  const double over_host =
      queued_ms(timer, [&] { CHECK(cudaMemcpyAsync(second, host, bytes, to_device, nullptr)); });
  return near(between, over_host);
}

/// A module loaded by the driver interface, its kernel found by name.
int driver() {
  void* const library = dlopen("libcuda.so.1", RTLD_NOW);
  if (library == nullptr) return verdict(false, "libcuda.so.1 is not loaded");
  const auto call = [&](const char* name, auto... values) {
    using Function = int (*)(decltype(values)...);
    const auto function = reinterpret_cast<Function>(dlsym(library, name));
    check(function == nullptr ? -1 : function(values...), name);
  };
  int device = 0;
  void *context = nullptr, *module = nullptr, *axpy = nullptr;
  call("cuInit", 0U);
  call("cuDeviceGet", &device, 0);
  call("cuCtxCreate_v2", &context, 0U, device);
  call("cuModuleLoadData", &module, static_cast<const void*>(kernel_image));
  call("cuModuleGetFunction", &axpy, module, "axpy");
  int n = 1000;
  float a = 2;
  std::uint64_t x = 0, y = 0;
  std::vector<float> values(1000, 3.0F), got(1000);
  call("cuMemAlloc_v2", &x, std::size_t{4000});
  call("cuMemAlloc_v2", &y, std::size_t{4000});
  call("cuMemcpyHtoD_v2", x, static_cast<const void*>(values.data()), std::size_t{4000});
  call("cuMemcpyHtoD_v2", y, static_cast<const void*>(values.data()), std::size_t{4000});
  void* arguments[] = {&n, &a, &x, &y};
  void* const none = nullptr;
  call("cuLaunchKernel", axpy, 4U, 1U, 1U, 256U, 1U, 1U, 0U, none, &arguments[0],
       static_cast<void**>(nullptr));
  call("cuCtxSynchronize");
  call("cuMemcpyDtoH_v2", static_cast<void*>(got.data()), y, std::size_t{4000});
  int wrong = 0;
  for (const float value : got) wrong += value != 9.0F;
  return verdict(wrong == 0, std::to_string(wrong) + " values differ");
}

/// A kernel that is launched again with what it read unchanged, with other contents, and with its
/// result overwritten.
int again() {
  constexpr int n = 4096;
  std::vector<float> x(n, 1.0F), got(n);
  float* const dx = on_device<float>(n);
  float* const dy = on_device<float>(n);
  int wrong = 0;
  for (int round = 0; round < 6; ++round) {
    if (round == 3) x.assign(n, 5.0F);
    CHECK(cudaMemcpy(dx, x.data(), n * 4, to_device));
    CHECK(cudaMemset(dy, 0, n * 4));
    CHECK(launch("axpy", n / 256, 256, 0, nullptr, n, 2.0F, dx, dy));
    CHECK(cudaMemcpy(got.data(), dy, n * 4, to_host));
    for (const float value : got) wrong += value != 2 * x[0];
  }
  return verdict(wrong == 0, std::to_string(wrong) + " values differ");
}

/// Launches of one kernel and geometry that do more or less by an argument or by what is in memory,
/// in turn: each takes the time of its own rounds, within a tenth and what a kernel takes at least.
// One launch whose passes only the number at `place` tells, and more of them than a prediction
// executes.
int many_passes(float* x, int* place) {
  constexpr int rounds = 20000000;
  CHECK(cudaMemset(x, 0, 128));
  CHECK(cudaMemcpy(place, &rounds, 4, to_device));
  CHECK(launch("counted", 1, 32, 0, nullptr, x, place));
  float value = 0;
  CHECK(cudaMemcpy(&value, x, 4, to_host));
  std::printf("%.1f\n", value);
  return 0;
}

int long_count() {
  return many_passes(on_device<float>(32), on_device<int>(1));
}

// The kernel overwrites the number: another launch when it has ended.
int own_count() {
  float* const x = on_device<float>(32);
  return many_passes(x, reinterpret_cast<int*>(x));
}

int counts() {
  constexpr int most = 200000;
  constexpr int once = 1;  // a repetition would hide a time that was that of the launch before
  const int list[] = {most, 1000, most, 50000, 1000, 1000, most, 20000, 50000, 1000, most};
  float* const x = on_device<float>(64);
  int* const rounds = on_device<int>(1);
  void *stream = nullptr, *captured = nullptr;
  CHECK(cudaStreamCreateWithFlags(&stream, 1));
  CHECK(cudaStreamCreate(&captured));
  Timer timer;
  const double nothing = nothing_ms(timer);
  const auto work = [&](int n, void* to) { CHECK(launch("work", 1, 64, 0, to, x, n)); };
  const double slope =
      (queued_ms(timer,
                 [&] { CHECK(launch("work", 1, 96, 0, nullptr, on_device<float>(96), most)); }) -
       nothing) /
      most;
  int wrong = 0;
  const auto judge = [&](const char* way, int n, double ms) {
    const bool holds = std::fabs(ms - nothing - n * slope) <= 0.1 * n * slope + 0.004;
    if (!holds) std::printf("%s %d: %.2f us, by hand %.2f us\n", way, n, ms * 1e3, n * slope * 1e3);
    wrong += !holds;
  };
  for (int round = 0; round < 3; ++round) {  // from the second on memory holds what it held
    for (const int n : list) {
      judge("argument", n,
            queued_ms(
                timer, [&] { work(n, nullptr); }, once));
      CHECK(cudaMemcpy(rounds, &n, 4, to_device));
      judge("memory", n,
            queued_ms(
                timer, [&] { CHECK(launch("counted", 1, 64, 0, nullptr, x, rounds)); }, once));
      CHECK(cudaMemset(x, n % 7, 256));
      judge("other contents", n,
            queued_ms(
                timer, [&] { work(n, nullptr); }, once));
      void *made = nullptr, *plan = nullptr;
      CHECK(cudaStreamBeginCapture(captured, 0));
      work(n, captured);
      CHECK(cudaStreamEndCapture(captured, &made));
      CHECK(cudaGraphInstantiate(&plan, made, nullptr, nullptr, 0));
      judge("graph", n,
            queued_ms(
                timer, [&] { CHECK(cudaGraphLaunch(plan, nullptr)); }, once));
      CHECK(cudaDeviceSynchronize());
      occupy(stream, x);
      CHECK(cudaEventRecord(timer.begin, stream));
      work(n, stream);
      CHECK(cudaEventRecord(timer.end, stream));
      CHECK(cudaEventSynchronize(timer.end));
      float ms = 0;
      CHECK(cudaEventElapsedTime(&ms, timer.begin, timer.end));
      judge("stream", n, ms);
    }
  }
  return verdict(wrong == 0, std::to_string(wrong) + " times differ");
}

/// Launches with equal instructions whose arguments decide the time, in turn.
int strides() {
  constexpr int blocks = 4096, block = 256;
  float* const x = on_device<float>((1 << 22) + 64);
  float* const out = on_device<float>(blocks * block);
  Timer timer;
  double ms[2] = {0, 0};
  int wrong = 0;
  for (int round = 0; round < 4; ++round) {
    for (const int wide : {0, 1}) {
      const double now = queued_ms(timer, [&] {
        CHECK(launch("strided", blocks, block, 0, nullptr, out, x, wide ? 33 : 1));
      });
      wrong += round > 0 && std::fabs(now - ms[wide]) > 0.01 * now;
      ms[wide] = now;
    }
  }
  return verdict(wrong == 0 && ms[1] > 2 * ms[0], std::to_string(ms[1] / ms[0]) + " times as long");
}

/// Blocks that start together by an attribute of the launch, of either interface.
int clusters() {
  constexpr unsigned blocks = 12;
  constexpr int cluster = 4, programmatic = 6, bad_cluster = 912;  // cudaLaunchAttribute*
  const void* const stub = &stubs[std::size(names) - 1];
  int* out = on_device<int>(2 * blocks);
  void* values[] = {&out};
  LaunchAttribute attributes[2];
  attributes[0].id = cluster;
  attributes[0].value[1] = attributes[0].value[2] = 1;
  attributes[1].id = programmatic;
  attributes[1].value[0] = 1;
  LaunchConfiguration asked;
  asked.grid.x = blocks;
  asked.block.x = 32;
  asked.attributes = attributes;
  asked.count = 2;
  void* function = nullptr;
  int wrong = cudaGetFuncBySymbol(&function, &wrong) == 0 ? 1 : 0;
  CHECK(cudaGetFuncBySymbol(&function, stub));
  for (const unsigned size : {1U, 2U, 4U, 6U}) {
    attributes[0].value[0] = size;
    for (const bool by_driver : {false, true}) {
      CHECK(cudaMemset(out, 0, 2 * blocks * sizeof(int)));
      if (by_driver) CHECK(cuLaunchKernelEx(&asked, function, values, nullptr));
      if (!by_driver) CHECK(cudaLaunchKernelExC(&asked, stub, values));
      int got[2 * blocks];
      CHECK(cudaMemcpy(got, out, sizeof got, to_host));
      for (unsigned i = 0; i < blocks; ++i) {
        wrong += got[2 * i] != static_cast<int>(i % size);
        wrong += got[2 * i + 1] != static_cast<int>(size);
      }
    }
  }
  for (const unsigned size : {5U, 24U}) {
    attributes[0].value[0] = size;
    wrong += cudaLaunchKernelExC(&asked, stub, values) != bad_cluster;
  }
  return verdict(wrong == 0, std::to_string(wrong) + " values differ");
}

int said(int code) {
  std::printf("%s\n", cudaGetErrorString(code));
  return code == 0 ? 0 : 3;
}
int outside() {
  CHECK(launch("outside", 4, 64, 0, nullptr, 200, on_device<float>(256)));
  return said(cudaDeviceSynchronize());
}
int deadlock() {
  CHECK(launch("deadlock", 1, 64, 0, nullptr, on_device<int>(64)));
  return said(cudaDeviceSynchronize());
}

/// A reset ends what a launch that could not be computed has left: those that follow are computed.
int recovers() {
  constexpr int n = 256;
  const int failed = launch("deadlock", 1, 64, 0, nullptr, on_device<int>(64)) != 0
                         ? cudaGetLastError()
                         : cudaDeviceSynchronize();
  CHECK(cudaDeviceReset());
  const std::vector<float> x(n, 1.0F);
  std::vector<float> got(n);
  float* const dx = on_device<float>(n);
  float* const dy = on_device<float>(n);
  CHECK(cudaMemcpy(dx, x.data(), n * 4, to_device));
  CHECK(cudaMemset(dy, 0, n * 4));
  CHECK(launch("axpy", 1, n, 0, nullptr, n, 2.0F, dx, dy));
  CHECK(cudaMemcpy(got.data(), dy, n * 4, to_host));
  int wrong = failed == 0;
  for (const float value : got) wrong += value != 2.0F;
  return verdict(wrong == 0, std::to_string(wrong) + " values differ");
}
int endless() {
  int* const x = on_device<int>(2);
  CHECK(cudaMemset(x, 0, 8));
  CHECK(launch("endless", 1, 32, 0, nullptr, x));
  return said(cudaDeviceSynchronize());
}
int unsupported() {
  return said(cudaGLSetGLDevice(0));
}
int memory() {
  void* made = nullptr;
  return said(cudaMalloc(&made, std::size_t{1} << 40));
}
int crash() {
  CHECK(launch("axpy", 1, 32, 0, nullptr, 1, 1.0f, on_device<float>(32), on_device<float>(32)));
  std::raise(SIGSEGV);
  return 0;
}
int leave() {
  CHECK(launch("axpy", 1, 32, 0, nullptr, 1, 1.0f, on_device<float>(32), on_device<float>(32)));
  _exit(5);
}
/// Ends while another thread's kernel goes on, as any process may.
int beside() {
  int* const x = on_device<int>(2);
  CHECK(cudaMemset(x, 0, 8));
  std::thread([x] { launch("endless", 1, 32, 0, nullptr, x); }).detach();
  std::this_thread::sleep_for(std::chrono::milliseconds(500));
  std::exit(6);
}
/// A signal's handler that ends the process within a call.
int within() {
  std::signal(SIGALRM, [](int) { std::exit(7); });
  alarm(1);
  return endless();
}
int in_child() {
  const pid_t child = fork();
  if (child == 0) std::exit(results());
  int status = 0;
  waitpid(child, &status, 0);
  return status == 0 ? results() : 1;
}
int in_threads() {
  std::vector<std::thread> all;
  std::vector<int> codes(4, 1);
  for (std::size_t i = 0; i < codes.size(); ++i) {
    all.emplace_back([&codes, i] {
      void* stream = nullptr;
      CHECK(cudaStreamCreate(&stream));
      float* const x = on_device<float>(1024);
      CHECK(cudaMemset(x, 0, 4096));
      for (int k = 0; k < 50; ++k) CHECK(launch("work", 4, 256, 0, stream, x, 10));
      CHECK(cudaStreamSynchronize(stream));
      codes[i] = 0;
    });
  }
  for (std::thread& one : all) one.join();
  return verdict(codes == std::vector<int>(4, 0), "four threads");
}
/// Two boards, a thread for each: what they take passes at the same time, for the threads and for
/// the one that waits for them.
int thread_clocks() {
  using Clock = std::chrono::steady_clock;
  const auto ms_since = [](Clock::time_point begin) {
    return std::chrono::duration<double, std::milli>(Clock::now() - begin).count();
  };
  constexpr unsigned many = 256;
  std::array<double, 2> own{};
  std::array<float*, 2> memory{};
  for (const std::size_t device : {1U, 0U}) {
    CHECK(cudaSetDevice(static_cast<int>(device)));
    memory[device] = on_device<float>(many * 64);
    CHECK(launch("work", 1, 32, 0, nullptr, memory[device], 100000));
    CHECK(cudaDeviceSynchronize());
  }
  const auto use = [&](std::size_t device) {
    CHECK(cudaSetDevice(static_cast<int>(device)));
    float* const x = memory[device];
    const auto begin = Clock::now();
    for (int k = 0; k < 1000; ++k) CHECK(launch("work", 1, 32, 0, nullptr, x, 100000));
    // Executed by threads that are none of the program's.
    CHECK(launch("work", many, 64, 0, nullptr, x, 20));
    CHECK(cudaDeviceSynchronize());
    own[device] = ms_since(begin);
    return 0;
  };
  const auto begin = Clock::now();
  std::thread first(use, 0), second(use, 1);
  first.join();
  second.join();
  const double all = ms_since(begin), longest = std::max(own[0], own[1]);
  char text[96];
  std::snprintf(text, sizeof text, "%.1f and %.1f ms, together %.1f ms", own[0], own[1], all);
  return verdict(longest > 100 && all >= longest && all < 1.5 * std::min(own[0], own[1]), text);
}
/// As a program that writes to a file or pipe: what it printed is still in its buffer.
/// A second thread holds up the flush until the program is about to end.
int unflushed() {
  std::puts("printed");
  static std::atomic<bool> holds = false, over = false;
  std::thread([] {
    flockfile(stdin);
    holds = true;
    while (!over) std::this_thread::yield();
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    funlockfile(stdin);
  }).detach();
  while (!holds) std::this_thread::yield();
  const int failed = launch("empty", 1, 32, 0, nullptr) + pause();
  over = true;
  return failed;
}
int wait_long() {
  CHECK(launch("empty", 1, 32, 0, nullptr));
  std::puts("waiting");
  std::fflush(stdout);
  pause();
  return 0;
}
/// Launches of an empty kernel; the caller takes the time.
int rate() {
  for (int i = 0; i < 40000; ++i) CHECK(launch("empty", 1, 32, 0, nullptr));
  CHECK(cudaDeviceSynchronize());
  return 0;
}
int untouched() {
  on_device<char>(std::size_t{8} << 30);
  std::FILE* const status = std::fopen("/proc/self/status", "r");
  for (char line[256]; std::fgets(line, sizeof line, status) != nullptr;) {
    if (std::strncmp(line, "VmHWM", 5) == 0) std::fputs(line, stdout);
  }
  std::fclose(status);
  return 0;
}

const std::map<std::string, int (*)()> programs{{"results", results},
                                                {"overlap", overlap},
                                                {"events", events},
                                                {"default_stream", default_stream},
                                                {"clocks", clocks},
                                                {"waits", waits},
                                                {"timed_waits", timed_waits},
                                                {"processor_time", processor_time},
                                                {"fork_clock", fork_clock},
                                                {"thread_clocks", thread_clocks},
                                                {"unflushed", unflushed},
                                                {"managed", managed},
                                                {"graph", graph},
                                                {"peer", peer},
                                                {"outside", outside},
                                                {"deadlock", deadlock},
                                                {"recovers", recovers},
                                                {"endless", endless},
                                                {"unsupported", unsupported},
                                                {"memory", memory},
                                                {"crash", crash},
                                                {"leave", leave},
                                                {"fork", in_child},
                                                {"threads", in_threads},
                                                {"wait", wait_long},
                                                {"rate", rate},
                                                {"untouched", untouched},
                                                {"driver", driver},
                                                {"again", again},
                                                {"counts", counts},
                                                {"long_count", long_count},
                                                {"own_count", own_count},
                                                {"strides", strides},
                                                {"clusters", clusters},
                                                {"beside", beside},
                                                {"within", within}};

}  // namespace

int main(int argc, char** argv) {
  const auto asked = programs.find(argc > 1 ? argv[1] : "");
  if (asked != programs.end()) return asked->second();
  for (const auto& [name, program] : programs) std::printf("%s\n", name.c_str());
  return 2;
}
