// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/journal.h"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <cstring>
#include <fcntl.h>
#include <type_traits>
#include <unistd.h>
#include <utility>

#include <fmt/format.h>

#include "base/checked_json.h"

namespace forewarp::program_run {
namespace {

using Json = CheckedJson;

constexpr std::size_t most_told = 1000;  // messages of a kind

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

/// Reads a line whose text is known but for its values. There may be very many of these.
class FixedLine {
 public:
  explicit FixedLine(std::string_view line) : rest_(line) {}

  FixedLine& operator>>(std::string_view text) {
    good_ = good_ && rest_.starts_with(text);
    if (good_) rest_.remove_prefix(text.size());
    return *this;
  }
  template <class Number>
  requires std::is_integral_v<Number> FixedLine& operator>>(Number& number) {
    const auto read = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    good_ = good_ && read.ec == std::errc() && std::cmp_greater_equal(number, 0);
    if (good_) rest_.remove_prefix(static_cast<std::size_t>(read.ptr - rest_.data()));
    return *this;
  }
  /// A word in quotes.
  FixedLine& operator>>(std::string& word) {
    *this >> "\"";
    const std::size_t end = rest_.find_first_of("\"\\");
    good_ = good_ && end != std::string_view::npos;
    if (good_) word = rest_.substr(0, end);
    if (good_) rest_.remove_prefix(end);
    return *this >> "\"";
  }
  [[nodiscard]] bool ended() const { return good_ && rest_.empty(); }

 private:
  std::string_view rest_;
  bool good_ = true;
};

bool is_launch(std::string_view line, std::int64_t& process, LaunchRecord& record) {
  FixedLine fields(line);
  fields >> R"({"kind":"launch","process":)" >> process >> R"(,"kernel":)" >> record.kernel;
  fields >> R"(,"prediction":)" >> record.prediction >> R"(,"device":)" >> record.device;
  fields >> R"(,"stream":)" >> record.stream >> R"(,"issued":)" >> record.issued;
  fields >> R"(,"begin":)" >> record.begin >> R"(,"end":)" >> record.end;
  fields >> R"(,"state":)" >> record.state >> R"(,"instructions":)" >> record.instructions >> "}";
  return fields.ended();
}

bool is_copy(std::string_view line, std::int64_t& process, CopyRecord& record) {
  FixedLine fields(line);
  fields >> R"({"kind":"copy","process":)" >> process >> R"(,"what":)" >> record.what;
  fields >> R"(,"memory":)" >> record.memory >> R"(,"bytes":)" >> record.bytes;
  fields >> R"(,"stream":)" >> record.stream >> R"(,"device":)" >> record.device;
  fields >> R"(,"begin":)" >> record.begin >> R"(,"end":)" >> record.end >> "}";
  return fields.ended();
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

void JournalWriter::tell(const MessageRecord& message, const std::string& name) {
  std::set<std::string>& told = told_[message.kind];
  if (told.size() > most_told) return;
  if (!told.insert(name.empty() ? message.text : name).second) return;
  add(told.size() <= most_told
          ? message
          : MessageRecord{message.kind, "there are more messages of this kind"});
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
  const auto own = [&](std::int64_t process) {
    const auto at = place.find(process);
    return at == place.end() ? nullptr : &journals[at->second];
  };
  while (!text.empty()) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    const std::string_view given = text.substr(0, end);
    text.remove_prefix(std::min(end + 1, text.size()));
    std::int64_t process = 0;
    LaunchRecord launch;
    CopyRecord copy;
    if (is_launch(given, process, launch)) {
      if (Journal* const journal = own(process)) journal->launches.push_back(std::move(launch));
      continue;
    }
    if (is_copy(given, process, copy)) {
      if (Journal* const journal = own(process)) journal->copies.push_back(std::move(copy));
      continue;
    }
    const Json line = Json::parse(given, nullptr, false);
    if (!line.is_object()) continue;
    try {
      process = line.value("process", std::int64_t{0});
      // A process may replace its program: it then begins again.
      if (line.value("kind", std::string()) == "begin") {
        Journal begun;
        begun.process = process_of(line);
        place[process] = journals.size();
        journals.push_back(std::move(begun));
      } else if (Journal* const journal = own(process)) {
        take(line, *journal);
      }
    } catch (const Json::exception&) {
      continue;  // a field of another type than ours
    }
  }
  return journals;
}

}  // namespace forewarp::program_run
