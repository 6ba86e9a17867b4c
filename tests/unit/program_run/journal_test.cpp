// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/journal.h"

#include <csignal>
#include <fstream>
#include <unistd.h>

#include <gtest/gtest.h>

#include "base/file.h"
#include "program_run/run_report.h"
#include "program_run/settings.h"

namespace forewarp::tests {
namespace {

using namespace program_run;  // NOLINT

std::string written() {
  const std::string path = testing::TempDir() + "journal" + std::to_string(::getpid());
  std::ofstream(path).close();
  {
    JournalWriter writer;
    EXPECT_TRUE(writer.open(path));
    writer.add(ProcessRecord{0, "app ", {"rtx4090", "l4"}, "a board"});
    writer.add(KernelRecord{1, "axpy", "_Z4axpy", "sm_89"});
    PredictionRecord prediction;
    prediction.id = 7;
    prediction.kernel = 1;
    prediction.ms = 2;
    prediction.limited_by = "dram";
    prediction.others["l4"] = 6;
    writer.add(prediction);
    writer.add(LaunchRecord{1, 7, 0, 0, 0, 1'000'000, 3'000'000, "executed", 100});
    writer.add(LaunchRecord{1, 7, 0, 0, 0, 3'000'000, 4'000'000, "executed", 50});
    writer.add(CopyRecord{"h2d", "pinned", 4096, 0, 0, 0, 500'000});
    writer.add(MessageRecord{"note", "a \"quoted\" text"});
  }
  const auto text = read_file(path);
  ::unlink(path.c_str());
  return text ? *text : "";
}

TEST(Journal, ReadsWhatWasWritten) {
  const auto journals = read_journal(written());
  ASSERT_EQ(journals.size(), 1U);
  EXPECT_EQ(journals[0].process.gpus, (std::vector<std::string>{"rtx4090", "l4"}));
  ASSERT_EQ(journals[0].launches.size(), 2U);
  EXPECT_EQ(journals[0].copies[0].bytes, 4096U);
  EXPECT_EQ(journals[0].messages[0].text, "a \"quoted\" text");
  EXPECT_FALSE(journals[0].ended);
}

std::string begun(int process) {
  return "{\"kind\":\"begin\",\"process\":" + std::to_string(process) + "}\n";
}

// Launches and copies are read without a document in between, if their text is as it was written.
TEST(Journal, LaunchesAndCopiesAreReadFieldByField) {
  const std::string launch =
      R"({"kind":"launch","process":5,"kernel":1,"prediction":2,"device":3,"stream":4,)"
      R"("issued":10,"begin":20,"end":30,"state":"cut","instructions":40})";
  const std::string copy =
      R"({"kind":"copy","process":5,"what":"p2p","memory":"","bytes":6,"stream":7,"device":8,)"
      R"("begin":9,"end":11})";
  std::string spaced = launch + '\n' + copy;
  for (std::size_t at = 0; (at = spaced.find(':', at)) != std::string::npos; at += 2)
    spaced.insert(at + 1, " ");
  for (const std::string& lines : {launch + '\n' + copy, spaced}) {
    const auto journals = read_journal(begun(5) + lines);
    ASSERT_EQ(journals.size(), 1U);
    ASSERT_EQ(journals[0].launches.size(), 1U);
    ASSERT_EQ(journals[0].copies.size(), 1U);
    const LaunchRecord& one = journals[0].launches[0];
    EXPECT_EQ((std::vector<std::uint64_t>{one.kernel, one.prediction, one.device, one.stream}),
              (std::vector<std::uint64_t>{1, 2, 3, 4}));
    EXPECT_EQ((std::vector<Nanoseconds>{one.issued, one.begin, one.end}),
              (std::vector<Nanoseconds>{10, 20, 30}));
    EXPECT_EQ(one.state, "cut");
    EXPECT_EQ(one.instructions, 40U);
    const CopyRecord& other = journals[0].copies[0];
    EXPECT_EQ(other.what + other.memory, "p2p");
    EXPECT_EQ((std::vector<std::uint64_t>{other.bytes, other.stream, other.device}),
              (std::vector<std::uint64_t>{6, 7, 8}));
    EXPECT_EQ((std::vector<Nanoseconds>{other.begin, other.end}),
              (std::vector<Nanoseconds>{9, 11}));
  }
  // Of another process, cut, with a time before the first call.
  std::string early = launch;
  early.replace(early.find(":20"), 3, ":-2");
  for (const std::string& damaged : {launch.substr(0, launch.size() - 1), launch + "}", early})
    EXPECT_TRUE(read_journal(begun(5) + damaged)[0].launches.empty()) << damaged;
  EXPECT_TRUE(read_journal(begun(6) + launch)[0].launches.empty());
}

TEST(Journal, MessagesAreToldOnceAndNotWithoutEnd) {
  const std::string path = testing::TempDir() + "told" + std::to_string(::getpid());
  std::ofstream(path).close();
  {
    JournalWriter writer;
    ASSERT_TRUE(writer.open(path));
    writer.add(ProcessRecord{});
    for (int i = 0; i < 3; ++i) writer.tell({"note", "number " + std::to_string(i)}, "a name");
    for (int round = 0; round < 2; ++round) {
      for (int i = 0; i < 1500; ++i) writer.tell({"memory", "at " + std::to_string(i)});
    }
    writer.tell({"note", "another"});
  }
  const auto text = read_file(path);
  ::unlink(path.c_str());
  ASSERT_TRUE(text);
  const auto messages = read_journal(*text).at(0).messages;
  ASSERT_EQ(messages.size(), 1U + 1000 + 1 + 1);
  EXPECT_EQ(messages[0].text, "number 0");
  EXPECT_EQ(messages[1000].text, "at 999");
  EXPECT_EQ(messages[1001].text, "there are more messages of this kind");
  EXPECT_EQ(messages[1002].text, "another");
}

TEST(Journal, DamagedLinesAreSkipped) {
  const std::string text = "nonsense\n" + written() + "{\"kind\":\"launch\",\"process\":";
  EXPECT_EQ(read_journal(text).size(), 1U);
  EXPECT_TRUE(read_journal("").empty());
  // A process whose beginning cannot be read has none of the lines that follow.
  EXPECT_TRUE(read_journal("{\"kind\":\"begin\",\"device\":0}\n{\"kind\":\"launch\"}\n").empty());
  EXPECT_TRUE(read_journal("{\"kind\":7}\n[1]\n{\"kind\":\"launch\",\"process\":1}\n").empty());
}

TEST(Journal, SkipsALineWithANumberThatDoesNotFit) {
  const std::string launch = R"({"kind":"launch","process":)" + std::to_string(::getpid());
  for (const char* field : {R"("kernel":4e36)", R"("kernel":4294967296)", R"("device":-1)",
                            R"("kernel":1.5)", R"("begin":9223372036854775808)", R"("begin":-1)"}) {
    const auto journals = read_journal(written() + launch + "," + field + "}\n");
    ASSERT_EQ(journals.size(), 1U);
    EXPECT_EQ(journals[0].launches.size(), 2U) << field;
  }
  const auto journals = read_journal(written() + launch + R"(,"kernel":4294967295})" + "\n");
  EXPECT_EQ(journals[0].launches.size(), 3U);
  EXPECT_FALSE(parse_settings(R"({"gpus":["l4"],"threads":4e36})"));
  EXPECT_TRUE(parse_settings(R"({"gpus":["l4"],"threads":4})"));
}

TEST(RunReport, SumsLaunchesOfAKernel) {
  const RunSummary sum = summary_of(read_journal(written())[0]);
  ASSERT_EQ(sum.kernels.size(), 1U);
  EXPECT_DOUBLE_EQ(sum.kernels[0].total, 3);  // 2 ms + 1 ms
  EXPECT_DOUBLE_EQ(sum.kernels[0].least, 1);
  // The second launch took half of what was predicted: 6 ms and half of 6 ms on the other board.
  EXPECT_DOUBLE_EQ(sum.kernels[0].others.at("l4"), 9);
  EXPECT_DOUBLE_EQ(sum.busy_ms, 3.5);
  EXPECT_EQ(sum.instructions, 150U);
  const std::string text = report_text(sum);
  EXPECT_NE(text.find("axpy"), std::string::npos);
  EXPECT_NE(text.find("did not end by itself"), std::string::npos);
  EXPECT_NE(text.find("in what time and memory is not known"), std::string::npos);
}

TEST(RunReport, NamesTheSignalAndWhatIsKnownUntilThen) {
  EndRecord sums;
  sums.execution_s = 1.5;
  sums.peak_bytes = 2000;
  sums.host = 4'000'000;
  const std::string path = testing::TempDir() + "sums" + std::to_string(::getpid());
  std::ofstream(path).close();
  {
    JournalWriter writer;
    EXPECT_TRUE(writer.open(path));
    writer.add(ProcessRecord{0, "app ", {"rtx4090"}, "a board"});
    writer.add(LaunchRecord{1, 7, 0, 0, 0, 0, 3'000'000, "executed", 100});
    writer.add_sums(sums);
    writer.add(LaunchRecord{1, 7, 0, 0, 0, 3'000'000, 3'000'000, "failed", 0});
  }
  const auto text = read_file(path);
  ::unlink(path.c_str());
  ASSERT_TRUE(text);
  RunSummary sum = summary_of(read_journal(*text)[0]);
  EXPECT_FALSE(sum.ended);
  EXPECT_FALSE(sum.computed);  // the second launch
  EXPECT_DOUBLE_EQ(sum.host_ms, 4);
  EXPECT_DOUBLE_EQ(sum.elapsed_ms, 3);
  sum.signal = SIGSEGV;
  const std::string report = report_text(sum);
  EXPECT_NE(report.find("ended by signal 11 (SIGSEGV)"), std::string::npos);
  EXPECT_NE(
      report.find("in at least 1.5 s; predicted in at least 0 s; 2 kB of device memory or more"),
      std::string::npos);
  sum.at_limit = true;
  EXPECT_EQ(end_text(sum), "the program was ended as the time of --limit was over");
}

TEST(Settings, SurviveTheEnvironment) {
  Settings settings;
  settings.gpus = {"a100-sxm-80", "l4"};
  settings.execute = Execute::sample;
  settings.budget_s = 12.5;
  settings.journal = "/proc/1/fd/\"3\"";
  const auto read = parse_settings(settings_text(settings));
  ASSERT_TRUE(read);
  EXPECT_EQ(read->gpus, settings.gpus);
  EXPECT_EQ(read->execute, settings.execute);
  EXPECT_DOUBLE_EQ(read->budget_s, 12.5);
  EXPECT_EQ(read->journal, settings.journal);
}

TEST(Settings, RefuseWhatIsNoneOfOurs) {
  for (const char* text :
       {"", "1", "{}", "{\"gpus\":[]}", "{\"gpus\":\"x\"}", "{\"gpus\":[\"x\"],\"devices\":0}"})
    EXPECT_FALSE(parse_settings(text)) << text;
}

}  // namespace
}  // namespace forewarp::tests
