// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// cuRAND's host interface: numbers of the distributions asked for. Number i of a seed is always the
// same, whatever calls draw it, as with the vendor's generators; it is not theirs, and the same for
// all kinds: the report says so.
#include <algorithm>
#include <cmath>
#include <iterator>
#include <limits>
#include <map>
#include <memory>
#include <numbers>
#include <random>

#include "library_calling.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C

namespace {

constexpr int random_success = 0, not_initialized = 101, wrong_type = 103, out_of_range = 104,
              not_multiple = 105, launch_failure = 201;

struct Generator {
  int kind = 0;
  bool on_host = false;
  std::uint64_t seed = 0, offset = 0;
  std::uint64_t drawn = 0;  ///< numbers since seed or offset were set
  StreamId stream = forewarp::program_run::legacy_stream;
};
struct Generators {
  std::mutex lock;
  std::map<void*, std::unique_ptr<Generator>> known;
};
Generators& generators() {
  static auto* const only = new Generators;  // never destroyed, as threads may call after main()
  return *only;
}

template <class Work>
int with_generator(void* handle, Work work) {
  const std::lock_guard lock(generators().lock);
  const auto found = generators().known.find(handle);
  return found == generators().known.end() ? not_initialized : work(*found->second);
}

/// CURAND_RNG_PSEUDO_DEFAULT, XORWOW, MRG32K3A, MTGP32, MT19937, PHILOX4_32_10.
bool is_pseudo(int kind) {
  constexpr int kinds[] = {100, 101, 121, 141, 142, 161};
  return std::ranges::find(kinds, kind) != std::end(kinds);
}

/// Random words of one number of a sequence: those of splitmix64 (Steele, Lea, Flood 2014) from a
/// state that seed and place give.
class Words {
 public:
  using result_type = std::uint64_t;
  Words(std::uint64_t seed, std::uint64_t place)
      : state_(mixed(mixed(seed + step) + step * place)) {}
  std::uint64_t operator()() { return mixed(state_ += step); }
  static constexpr std::uint64_t min() { return 0; }
  static constexpr std::uint64_t max() { return ~std::uint64_t{0}; }

 private:
  static constexpr std::uint64_t step = 0x9e3779b97f4a7c15U;
  static std::uint64_t mixed(std::uint64_t x) {
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9U;
    x = (x ^ x >> 27) * 0x94d049bb133111ebU;
    return x ^ x >> 31;
  }
  std::uint64_t state_;
};

int make_generator(void** out, int kind, bool on_host) {
  if (out == nullptr || !is_pseudo(kind)) {
    if (out != nullptr) unsupported_library("curandCreateGenerator of this kind", wrong_type);
    return wrong_type;
  }
  auto made = std::make_unique<Generator>();
  made->kind = kind;
  made->on_host = on_host;
  *out = made.get();
  const std::lock_guard lock(generators().lock);
  generators().known.emplace(*out, std::move(made));
  return random_success;
}

/// Lane operations for 32 bits of a kind of generator.
double operations_of(int kind, const LibraryTables& tables) {
  constexpr int mrg = 121, mtgp = 141, mt = 142, philox = 161;
  switch (kind) {
    case mrg:
      return tables.mrg;
    case mtgp:
    case mt:
      return tables.mersenne;
    case philox:
      return tables.philox;
    default:
      return tables.xorwow;
  }
}

/// Numbers of one distribution, drawn one after the other.
template <class T, class Draw>
struct Request {
  const char* function;
  T* out;
  std::size_t count;
  double words;  ///< draws of 32 bits for a number
  Draw draw;
};

/// Numbers of a sequence from a place on.
template <class T, class Draw>
void fill(const Request<T, Draw>& request, std::uint64_t seed, std::uint64_t place) {
  for (std::size_t i = 0; i < request.count; ++i) {
    Draw draw = request.draw;  // anew, as distributions keep what is left of a draw
    Words words(seed, place + i);
    request.out[i] = draw(words);
  }
}

template <class T, class Draw>
int generate(void* handle, const Request<T, Draw>& request) {
  return with_generator(handle, [&](Generator& own) {
    if (request.out == nullptr || request.count == 0) return random_success;
    const std::uint64_t seed = own.seed, place = own.offset + own.drawn;
    own.drawn += request.count;
    tell_once("note",
              "cuRAND: numbers have the distributions asked for, not the sequences of the "
              "vendor's generators");
    if (own.on_host) {
      fill(request, seed, place);
      return random_success;
    }
    const Status status =
        library_call(own.stream, false, [&](Machine& /*machine*/, LibraryCall& call) {
          call.function = request.function;
          call.shape = std::to_string(request.count);
          call.uses = {{"output", address_of(request.out), request.count * sizeof(T), true}};
          call.operations = static_cast<double>(request.count) * 16;
          call.time = [kind = own.kind, draws = request.words * static_cast<double>(request.count),
                       bytes = static_cast<double>(request.count * sizeof(T))](
                          const Gpu& gpu, const LibraryTables& tables) {
            return forewarp::model::random_time(gpu, tables, draws, operations_of(kind, tables),
                                                bytes);
          };
          call.compute = [request, seed, place] { fill(request, seed, place); };
          return Status::success;
        });
    return status == Status::success ? random_success : launch_failure;
  });
}

/// Up from 0, which is left out, to 1.
template <class T>
T unit(Words& words) {
  constexpr int digits = std::numeric_limits<T>::digits;
  return static_cast<T>(std::ldexp(static_cast<double>(words() >> (64 - digits)) + 1, -digits));
}
template <class T>
struct Uniform {
  T operator()(Words& words) const { return unit<T>(words); }
};
/// By Box and Muller; `logarithm`: of the number.
template <class T>
struct Normal {
  T mean, deviation;
  bool logarithm = false;
  T operator()(Words& words) const {
    constexpr double turn = 2 * std::numbers::pi;
    const double radius = std::sqrt(-2 * std::log(unit<double>(words)));
    const double value = mean + deviation * radius * std::cos(turn * unit<double>(words));
    return static_cast<T>(logarithm ? std::exp(value) : value);
  }
};
struct Poisson {
  std::poisson_distribution<unsigned> of;
  unsigned operator()(Words& words) { return of(words); }
};
struct Bits {
  unsigned operator()(Words& words) const { return static_cast<unsigned>(words() >> 32); }
};

template <class T, class Draw>
int drawn(void* handle, const char* function, T* out, std::size_t count, Draw draw) {
  constexpr double word = 4;
  return generate(handle, Request<T, Draw>{function, out, count, sizeof(T) / word, draw});
}

/// Numbers that the vendor's generators make two at a time.
template <class T>
int normal(void* handle, const char* function, T* out, std::size_t count, Normal<T> draw) {
  const bool even = count % 2 == 0;
  if (!even) return with_generator(handle, [](Generator& /*own*/) { return not_multiple; });
  return drawn(handle, function, out, count, draw);
}

}  // namespace

FOREWARP_EXPORT int curandCreateGenerator(void** out, int kind) {
  return make_generator(out, kind, false);
}
FOREWARP_EXPORT int curandCreateGeneratorHost(void** out, int kind) {
  return make_generator(out, kind, true);
}
FOREWARP_EXPORT int curandDestroyGenerator(void* handle) {
  const std::lock_guard lock(generators().lock);
  return generators().known.erase(handle) != 0 ? random_success : not_initialized;
}
FOREWARP_EXPORT int curandSetPseudoRandomGeneratorSeed(void* handle, unsigned long long seed) {
  return with_generator(handle, [&](Generator& own) {
    own.seed = seed;
    own.drawn = 0;
    return random_success;
  });
}
FOREWARP_EXPORT int curandSetGeneratorOffset(void* handle, unsigned long long offset) {
  return with_generator(handle, [&](Generator& own) {
    own.offset = offset;
    own.drawn = 0;
    return random_success;
  });
}
FOREWARP_EXPORT int curandSetGeneratorOrdering(void* handle, int /*order*/) {
  return with_generator(handle, [](Generator& /*own*/) { return random_success; });
}
FOREWARP_EXPORT int curandSetStream(void* handle, void* stream) {
  return with_generator(handle, [&](Generator& own) {
    own.stream = stream_of(stream);
    return random_success;
  });
}
FOREWARP_EXPORT int curandGenerateSeeds(void* handle) {
  return with_generator(handle, [](Generator& /*own*/) { return random_success; });
}
FOREWARP_EXPORT int curandGetVersion(int* version) {
  constexpr int of_toolkit_11_8 = 10300;
  if (version == nullptr) return out_of_range;
  *version = of_toolkit_11_8;
  return random_success;
}
FOREWARP_EXPORT int curandGenerate(void* handle, unsigned* out, std::size_t count) {
  return drawn(handle, "curandGenerate", out, count, Bits{});
}
/// Only of quasi-random generators of 64 bits, which are not here.
FOREWARP_EXPORT int curandGenerateLongLong(void* handle, unsigned long long* /*out*/,
                                           std::size_t /*count*/) {
  return with_generator(handle, [](Generator& /*own*/) { return wrong_type; });
}
FOREWARP_EXPORT int curandGenerateUniform(void* handle, float* out, std::size_t count) {
  return drawn(handle, "curandGenerateUniform", out, count, Uniform<float>{});
}
FOREWARP_EXPORT int curandGenerateUniformDouble(void* handle, double* out, std::size_t count) {
  return drawn(handle, "curandGenerateUniformDouble", out, count, Uniform<double>{});
}
FOREWARP_EXPORT int curandGenerateNormal(void* handle, float* out, std::size_t count, float mean,
                                         float deviation) {
  return normal(handle, "curandGenerateNormal", out, count, {mean, deviation});
}
FOREWARP_EXPORT int curandGenerateNormalDouble(void* handle, double* out, std::size_t count,
                                               double mean, double deviation) {
  return normal(handle, "curandGenerateNormalDouble", out, count, {mean, deviation});
}
FOREWARP_EXPORT int curandGenerateLogNormal(void* handle, float* out, std::size_t count, float mean,
                                            float deviation) {
  return normal(handle, "curandGenerateLogNormal", out, count, {mean, deviation, true});
}
FOREWARP_EXPORT int curandGenerateLogNormalDouble(void* handle, double* out, std::size_t count,
                                                  double mean, double deviation) {
  return normal(handle, "curandGenerateLogNormalDouble", out, count, {mean, deviation, true});
}
FOREWARP_EXPORT int curandGeneratePoisson(void* handle, unsigned* out, std::size_t count,
                                          double mean) {
  if (!(mean > 0)) return with_generator(handle, [](Generator& /*own*/) { return out_of_range; });
  return drawn(handle, "curandGeneratePoisson", out, count,
               Poisson{std::poisson_distribution<unsigned>(mean)});
}
