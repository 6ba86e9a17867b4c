// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "kept_points.h"

#include <cstdio>
#include <map>
#include <utility>

#include "base/file.h"
#include "base/sha256.h"
#include "result/validation_json.h"
#include "store/figures.h"
#include "sweep/points/point_key.h"

namespace forewarp::cli {
namespace {

class StoredKeeper : public PointKeeper {
 public:
  StoredKeeper(Predictor& predictor, std::string file, RunStart start)
      : predictor_(predictor), file_(std::move(file)), start_(std::move(start)) {}

  /// Points of a later call come behind those before, in the same run.
  Expected<void> begin(std::size_t points, const PointAxes& axes) override {
    axes_ = axes;
    first_ = start_.points;
    start_.points += points;
    start_.axes = axes.names;
    if (writer_) return writer_->extend(start_.points);
    auto writer = RunWriter::begin(file_, start_);
    if (!writer) return std::move(writer).error();
    writer_ = *std::move(writer);
    return {};
  }

  std::optional<ScoredPoint> find(std::size_t index, const std::string& key) override {
    const auto text = writer_->adopt_detail(first_ + index, key, axes_.values(index));
    if (!text) return {};
    auto read = read_point_line(*text);
    return read ? std::optional(std::move(read->point)) : std::nullopt;
  }

  bool add(std::size_t index, const std::string& key, const Case& request,
           const ScoredPoint& point) override {
    return writer_->add(first_ + index, key, axes_.values(index), figures_of(point),
                        subject(request, point), point_line(point, key));
  }

  [[nodiscard]] Diagnostic failure() const override {
    return writer_->failure().value_or(Diagnostic{file_, "takes no more points", "", ""});
  }
  Expected<void> finish() override { return writer_ ? writer_->finish() : Expected<void>(); }

 private:
  Subject subject(const Case& request, const ScoredPoint& point) {
    Subject subject;
    subject.input = request.input;
    subject.kernel = point.kernel;
    subject.gpu = point.gpu;
    subject.input_key = content_of(request.input);
    if (const auto gpu = predictor_.gpu(point.gpu, {})) subject.gpu_key = facts_key(**gpu);
    return subject;
  }

  /// Files are read once; what cannot be read has no content.
  const std::string& content_of(const std::string& file) {
    const auto [found, is_new] = contents_.try_emplace(file);
    if (!is_new) return found->second;
    if (const auto text = read_file(file)) found->second = input::sha256_of(*text);
    return found->second;
  }

  Predictor& predictor_;
  std::string file_;
  RunStart start_;
  PointAxes axes_;
  std::uint64_t first_ = 0;
  std::unique_ptr<RunWriter> writer_;
  std::map<std::string, std::string> contents_;
};

class SilentKeeper : public PointKeeper {
 public:
  Expected<void> begin(std::size_t /*points*/, const PointAxes& /*axes*/) override { return {}; }
  std::optional<ScoredPoint> find(std::size_t /*index*/, const std::string& /*key*/) override {
    return {};
  }
  bool add(std::size_t /*index*/, const std::string& /*key*/, const Case& /*request*/,
           const ScoredPoint& /*point*/) override {
    return true;
  }
  [[nodiscard]] Diagnostic failure() const override { return {}; }
  Expected<void> finish() override { return {}; }
};

}  // namespace

Expected<std::unique_ptr<PointKeeper>> stored_keeper(Predictor& predictor, const std::string& file,
                                                     const RunStart& start) {
  return std::unique_ptr<PointKeeper>(std::make_unique<StoredKeeper>(predictor, file, start));
}

std::unique_ptr<PointKeeper> silent_keeper() {
  return std::make_unique<SilentKeeper>();
}

int tell_kept(const RunWriter& writer, const Delivery& delivery, std::uint64_t all) {
  const RunWriter::Counts counts = writer.counts();
  const std::uint64_t there = counts.computed + counts.taken_over;
  if (!delivery.quiet) {
    std::fprintf(stderr, "forewarp: run %lld of %s: %llu computed, %llu were there, %llu failed\n",
                 static_cast<long long>(writer.run()), delivery.store.c_str(),
                 static_cast<unsigned long long>(counts.computed),
                 static_cast<unsigned long long>(counts.taken_over),
                 static_cast<unsigned long long>(counts.failed));
  }
  if (there < all) {
    std::fprintf(stderr, "forewarp: ended after %llu of %llu points; the same command goes on\n",
                 static_cast<unsigned long long>(there), static_cast<unsigned long long>(all));
  }
  return counts.failed > 0 || there < all ? 1 : 0;
}

}  // namespace forewarp::cli
