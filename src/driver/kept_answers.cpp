// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "driver/kept_answers.h"

#include <algorithm>

#include "base/cache/content_key.h"
#include "base/cache/disk_cache.h"
#include "base/file.h"
#include "program/kernel.h"
#include "program/source_place.h"
#include "result/result_archive.h"

namespace forewarp::driver {
namespace {

DiskCache kept_answers() {
  constexpr std::size_t most = std::size_t{4} << 20;
  return DiskCache::named("answers", ".answer", most);
}

void add_detail(const ResultDetail& detail, KeyBytes& key) {
  key.add(detail.listing).add(detail.provenance).add(detail.curve).add(detail.stalls);
  key.add(detail.power).add(detail.simulation).add(detail.counterfactuals);
}

/// The compiled source's lines are shown beside the listing; nothing else of that file matters.
void add_source_text(const LoadedKernel& code, KeyBytes& key) {
  const std::vector<std::string>& files = code.kernel->source_files;
  const bool shown = std::find(files.begin(), files.end(), own_source) != files.end();
  if (!shown) return;
  const auto text = code.given ? Expected<std::string>(*code.given) : read_file(code.input);
  if (text) key.add_text(*text);
}

}  // namespace

std::string answer_key(const std::string& evaluation, const Launch& launch, const Query& query,
                       const ResultDetail& detail) {
  if (evaluation.empty() || query.options.device != nullptr) return {};
  KeyBytes key;
  key.add_text(program_stamp()).add_text(evaluation);
  add_detail(detail, key);
  if (detail.listing) add_source_text(launch.code, key);
  return content_key(key.take());
}

std::optional<Result> recall_answer(const std::string& key) {
  if (key.empty()) return {};
  const auto body = kept_answers().find(key);
  return body ? unpack_result(*body) : std::nullopt;
}

void keep_answer(const std::string& key, const Result& result) {
  const DiskCache kept = kept_answers();
  if (!key.empty() && kept.keeps()) kept.store(key, pack_result(result));
}

}  // namespace forewarp::driver
