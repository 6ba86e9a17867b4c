// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
// cuRAND's host interface: numbers of the distributions asked for. Their sequence is that of one
// generator of the standard library, whatever kind is asked for: the report says so.
#include <cmath>
#include <limits>
#include <map>
#include <memory>
#include <random>

#include "library_calling.h"

using namespace forewarp::cli;  // NOLINT: the functions below are C

namespace {

constexpr int random_success = 0, not_initialized = 101, wrong_type = 103, out_of_range = 104,
              launch_failure = 201;

struct Generator {
  int kind = 0;
  bool on_host = false;
  std::uint64_t seed = 0, offset = 0;
  std::uint64_t drawn = 0;  ///< calls so far
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

bool is_pseudo(int kind) {
  constexpr int first = 100, last = 161;
  return kind >= first && kind <= last;
}

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

template <class T, class Draw>
void fill(const Request<T, Draw>& request, std::mt19937_64 engine) {
  auto draw = request.draw;
  for (std::size_t i = 0; i < request.count; ++i) request.out[i] = draw(engine);
}

template <class T, class Draw>
int generate(void* handle, const Request<T, Draw>& request) {
  return with_generator(handle, [&](Generator& own) {
    if (request.out == nullptr || request.count == 0) return random_success;
    std::seed_seq seeds{
        static_cast<std::uint32_t>(own.seed), static_cast<std::uint32_t>(own.seed >> 32),
        static_cast<std::uint32_t>(own.offset), static_cast<std::uint32_t>(own.offset >> 32),
        static_cast<std::uint32_t>(own.drawn)};
    ++own.drawn;
    const std::mt19937_64 engine(seeds);
    tell_once("note",
              "cuRAND: numbers have the distributions asked for, not the sequences of the "
              "vendor's generators");
    if (own.on_host) {
      fill(request, engine);
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
          call.compute = [request, engine] { fill(request, engine); };
          return Status::success;
        });
    return status == Status::success ? random_success : launch_failure;
  });
}

/// Up from 0, which is left out, to 1.
template <class T>
struct Uniform {
  T operator()(std::mt19937_64& engine) const {
    constexpr int digits = std::numeric_limits<T>::digits;
    const std::uint64_t steps = engine() >> (64 - digits);
    return static_cast<T>(std::ldexp(static_cast<double>(steps) + 1, -digits));
  }
};
template <class T>
struct Normal {
  std::normal_distribution<T> of;
  T operator()(std::mt19937_64& engine) { return of(engine); }
};
template <class T>
struct LogNormal {
  std::lognormal_distribution<T> of;
  T operator()(std::mt19937_64& engine) { return of(engine); }
};
struct Poisson {
  std::poisson_distribution<unsigned> of;
  unsigned operator()(std::mt19937_64& engine) { return of(engine); }
};
template <class T>
struct Bits {
  T operator()(std::mt19937_64& engine) const {
    return static_cast<T>(engine() >> (64 - 8 * sizeof(T)));
  }
};

template <class T, class Draw>
int drawn(void* handle, const char* function, T* out, std::size_t count, Draw draw) {
  constexpr double word = 4;
  return generate(handle, Request<T, Draw>{function, out, count, sizeof(T) / word, draw});
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
  return drawn(handle, "curandGenerate", out, count, Bits<unsigned>{});
}
FOREWARP_EXPORT int curandGenerateLongLong(void* handle, unsigned long long* out,
                                           std::size_t count) {
  return drawn(handle, "curandGenerateLongLong", out, count, Bits<unsigned long long>{});
}
FOREWARP_EXPORT int curandGenerateUniform(void* handle, float* out, std::size_t count) {
  return drawn(handle, "curandGenerateUniform", out, count, Uniform<float>{});
}
FOREWARP_EXPORT int curandGenerateUniformDouble(void* handle, double* out, std::size_t count) {
  return drawn(handle, "curandGenerateUniformDouble", out, count, Uniform<double>{});
}
FOREWARP_EXPORT int curandGenerateNormal(void* handle, float* out, std::size_t count, float mean,
                                         float deviation) {
  return drawn(handle, "curandGenerateNormal", out, count,
               Normal<float>{std::normal_distribution<float>(mean, deviation)});
}
FOREWARP_EXPORT int curandGenerateNormalDouble(void* handle, double* out, std::size_t count,
                                               double mean, double deviation) {
  return drawn(handle, "curandGenerateNormalDouble", out, count,
               Normal<double>{std::normal_distribution<double>(mean, deviation)});
}
FOREWARP_EXPORT int curandGenerateLogNormal(void* handle, float* out, std::size_t count, float mean,
                                            float deviation) {
  return drawn(handle, "curandGenerateLogNormal", out, count,
               LogNormal<float>{std::lognormal_distribution<float>(mean, deviation)});
}
FOREWARP_EXPORT int curandGenerateLogNormalDouble(void* handle, double* out, std::size_t count,
                                                  double mean, double deviation) {
  return drawn(handle, "curandGenerateLogNormalDouble", out, count,
               LogNormal<double>{std::lognormal_distribution<double>(mean, deviation)});
}
FOREWARP_EXPORT int curandGeneratePoisson(void* handle, unsigned* out, std::size_t count,
                                          double mean) {
  return drawn(handle, "curandGeneratePoisson", out, count,
               Poisson{std::poisson_distribution<unsigned>(mean)});
}
