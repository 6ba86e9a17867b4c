// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/journal.h"

#include <cerrno>
#include <cstring>
#include <fcntl.h>
#include <unistd.h>

#include <fmt/format.h>

#include "base/checked_json.h"

namespace forewarp::program_run {
namespace {

using Json = CheckedJson;

std::string line_of(std::string_view kind, Json record) {
  record["kind"] = kind;
  record["process"] = ::getpid();
  return record.dump(-1, ' ', false, Json::error_handler_t::replace) + '\n';
}

/// Times count from the program's first call: a line with one before it is damaged.
Nanoseconds time_at(const Json& line, const char* key) {
  const auto time = line.value(key, Nanoseconds{0});
  if (time < 0) throw Json::out_of_range::create(406, "a time below zero", &line);
  return time;
}

ProcessRecord process_of(const Json& line) {
  return {line.value("process", std::int64_t{0}), line.value("program", std::string()),
          line.value("gpus", std::vector<std::string>()), line.value("device", std::string())};
}

PredictionRecord prediction_of(const Json& line) {
  PredictionRecord record;
  record.id = line.value("id", 0U);
  record.kernel = line.value("kernel", 0U);
  record.grid = line.value("grid", record.grid);
  record.block = line.value("block", record.block);
  record.dynamic_shared = line.value("dynamic_shared", 0U);
  record.ms = line.value("ms", 0.0);
  record.low_ms = line.value("low_ms", 0.0);
  record.high_ms = line.value("high_ms", 0.0);
  record.limited_by = line.value("limited_by", std::string());
  record.model = line.value("model", std::string());
  record.failure = line.value("failure", std::string());
  record.others = line.value("others", record.others);
  return record;
}

LaunchRecord launch_of(const Json& line) {
  LaunchRecord record;
  record.kernel = line.value("kernel", 0U);
  record.prediction = line.value("prediction", 0U);
  record.device = line.value("device", 0U);
  record.stream = line.value("stream", std::uint64_t{0});
  record.issued = time_at(line, "issued");
  record.begin = time_at(line, "begin");
  record.end = time_at(line, "end");
  record.state = line.value("state", std::string());
  record.instructions = line.value("instructions", std::uint64_t{0});
  return record;
}

CopyRecord copy_of(const Json& line) {
  CopyRecord record;
  record.what = line.value("what", std::string());
  record.memory = line.value("memory", std::string());
  record.bytes = line.value("bytes", std::uint64_t{0});
  record.stream = line.value("stream", std::uint64_t{0});
  record.device = line.value("device", 0U);
  record.begin = time_at(line, "begin");
  record.end = time_at(line, "end");
  return record;
}

EndRecord end_of(const Json& line) {
  EndRecord record;
  record.end = time_at(line, "end");
  record.host = time_at(line, "host");
  record.waited = time_at(line, "waited");
  record.device_end = time_at(line, "device_end");
  record.peak_bytes = line.value("peak_bytes", std::uint64_t{0});
  record.executed = line.value("executed", std::uint64_t{0});
  record.execution_s = line.value("execution_s", 0.0);
  record.prediction_s = line.value("prediction_s", 0.0);
  record.computed = line.value("computed", true);
  return record;
}

Json sums_of(const EndRecord& record) {
  return {{"end", record.end},
          {"host", record.host},
          {"waited", record.waited},
          {"device_end", record.device_end},
          {"peak_bytes", record.peak_bytes},
          {"executed", record.executed},
          {"execution_s", record.execution_s},
          {"prediction_s", record.prediction_s},
          {"computed", record.computed}};
}

void take(const Json& line, Journal& journal) {
  const std::string kind = line.value("kind", std::string());
  if (kind == "kernel") {
    const auto id = line.value("id", 0U);
    journal.kernels[id] = {id, line.value("name", std::string()),
                           line.value("mangled", std::string()), line.value("arch", std::string())};
  } else if (kind == "prediction") {
    PredictionRecord record = prediction_of(line);
    journal.predictions[record.id] = std::move(record);
  } else if (kind == "launch") {
    journal.launches.push_back(launch_of(line));
  } else if (kind == "copy") {
    journal.copies.push_back(copy_of(line));
  } else if (kind == "message") {
    journal.messages.push_back(
        {line.value("what", std::string()), line.value("text", std::string())});
  } else if (kind == "end" || kind == "sums") {
    journal.end = end_of(line);
    journal.summed = true;
    journal.ended = kind == "end";
  }
}

}  // namespace

JournalWriter::~JournalWriter() {
  if (file_ >= 0) ::close(file_);
}

Expected<void> JournalWriter::open(const std::string& path) {
  file_ = ::open(path.c_str(), O_WRONLY | O_APPEND | O_CLOEXEC);
  if (file_ >= 0) return {};
  return Diagnostic{path, std::string("cannot be opened: ") + std::strerror(errno),
                    "the journal that forewarp run made", ""};
}

void JournalWriter::write(std::string_view line) const {
  while (file_ >= 0 && !line.empty()) {
    const ssize_t done = ::write(file_, line.data(), line.size());
    if (done < 0 && errno == EINTR) continue;
    if (done <= 0) return;  // the reader is gone: nobody asks for the rest
    line.remove_prefix(static_cast<std::size_t>(done));
  }
}

void JournalWriter::add(const ProcessRecord& record) {
  write(
      line_of("begin",
              Json{{"program", record.program}, {"gpus", record.gpus}, {"device", record.device}}));
}

void JournalWriter::add(const KernelRecord& record) {
  write(line_of("kernel", Json{{"id", record.id},
                               {"name", record.name},
                               {"mangled", record.mangled},
                               {"arch", record.arch}}));
}

void JournalWriter::add(const PredictionRecord& record) {
  write(line_of("prediction", Json{{"id", record.id},
                                   {"kernel", record.kernel},
                                   {"grid", record.grid},
                                   {"block", record.block},
                                   {"dynamic_shared", record.dynamic_shared},
                                   {"ms", record.ms},
                                   {"low_ms", record.low_ms},
                                   {"high_ms", record.high_ms},
                                   {"limited_by", record.limited_by},
                                   {"model", record.model},
                                   {"failure", record.failure},
                                   {"others", record.others}}));
}

void JournalWriter::add(const LaunchRecord& record) {
  if (file_ < 0) return;
  // There may be very many: written without a document in between.
  write(fmt::format(
      R"({{"kind":"launch","process":{},"kernel":{},"prediction":{},"device":{},"stream":{},)"
      R"("issued":{},"begin":{},"end":{},"state":"{}","instructions":{}}})"
      "\n",
      ::getpid(), record.kernel, record.prediction, record.device, record.stream, record.issued,
      record.begin, record.end, record.state, record.instructions));
}

void JournalWriter::add(const CopyRecord& record) {
  if (file_ < 0) return;
  write(fmt::format(
      R"({{"kind":"copy","process":{},"what":"{}","memory":"{}","bytes":{},"stream":{},)"
      R"("device":{},"begin":{},"end":{}}})"
      "\n",
      ::getpid(), record.what, record.memory, record.bytes, record.stream, record.device,
      record.begin, record.end));
}

void JournalWriter::add(const MessageRecord& record) {
  write(line_of("message", Json{{"what", record.kind}, {"text", record.text}}));
}

void JournalWriter::add(const EndRecord& record) {
  write(line_of("end", sums_of(record)));
}

void JournalWriter::add_sums(const EndRecord& record) {
  write(line_of("sums", sums_of(record)));
}

std::vector<Journal> read_journal(std::string_view text) {
  std::vector<Journal> journals;
  std::map<std::int64_t, std::size_t> place;
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const Json line = Json::parse(text.substr(0, end), nullptr, false);
    text.remove_prefix(std::min(end + 1, text.size()));
    if (!line.is_object()) continue;
    try {
      const auto process = line.value("process", std::int64_t{0});
      // A process may replace its program: it then begins again.
      if (line.value("kind", std::string()) == "begin") {
        Journal begun;
        begun.process = process_of(line);
        place[process] = journals.size();
        journals.push_back(std::move(begun));
      } else if (const auto at = place.find(process); at != place.end()) {
        take(line, journals[at->second]);
      }
    } catch (const Json::exception&) {
      continue;  // a field of another type than ours
    }
  }
  return journals;
}

}  // namespace forewarp::program_run
