// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "base/child.h"

#include <chrono>
#include <csignal>
#include <fstream>
#include <string>
#include <sys/wait.h>
#include <thread>
#include <unistd.h>
#include <vector>

#include <gtest/gtest.h>

#include "base/command.h"

namespace forewarp::tests {
namespace {

using namespace std::chrono_literals;

/// Whether a process is there and no zombie.
bool lives(pid_t process) {
  std::ifstream file("/proc/" + std::to_string(process) + "/stat");
  std::string text;
  std::getline(file, text);
  const std::size_t state = text.rfind(") ");
  return state != std::string::npos && text[state + 2] != 'Z' && text[state + 2] != 'X';
}

/// False where it lives for longer than this takes.
bool gone_soon(pid_t process) {
  for (int i = 0; i < 200 && lives(process); ++i) std::this_thread::sleep_for(10ms);
  return !lives(process);
}

/// A shell whose descendant has a number of its own, written to its output first.
const std::vector<std::string> with_descendant = {"/bin/sh", "-c",
                                                  "sleep 100 & echo $!; exec sleep 100"};

pid_t number_from(int file) {
  std::string text;
  for (char one = 0; ::read(file, &one, 1) == 1 && one != '\n';) text += one;
  return static_cast<pid_t>(std::stoi(text));
}

TEST(Child, EndsWithAllThatItStarted) {
  pid_t leader = 0, descendant = 0;
  {
    auto child = Child::start({.words = with_descendant, .environment = {}, .folder = {}});
    ASSERT_TRUE(child);
    leader = child->process();
    descendant = number_from(child->output());
    EXPECT_TRUE(lives(descendant));
  }
  EXPECT_TRUE(gone_soon(leader));
  EXPECT_TRUE(gone_soon(descendant));
}

TEST(Child, OfALeaderThatEndedWhatItStartedEndsToo) {
  auto child = Child::start(
      {.words = {"/bin/sh", "-c", "sleep 100 & echo $!"}, .environment = {}, .folder = {}});
  ASSERT_TRUE(child);
  const pid_t descendant = number_from(child->output());
  const ChildEnd end = child->wait();
  EXPECT_EQ(end.text(), "with code 0");
  EXPECT_TRUE(gone_soon(descendant));
}

// What nobody can prepare for: the process that has the child is killed itself.
TEST(Child, EndsWithOurProcessThoughThatIsKilled) {
  int numbers[2] = {-1, -1};
  ASSERT_EQ(::pipe(numbers), 0);
  const pid_t ours = ::fork();
  if (ours == 0) {
    auto child = Child::start({.words = with_descendant, .environment = {}, .folder = {}});
    const pid_t both[2] = {child->process(), number_from(child->output())};
    const auto told = ::write(numbers[1], both, sizeof(both));
    static_cast<void>(told);
    ::pause();
    ::_exit(0);
  }
  pid_t both[2] = {0, 0};
  ASSERT_EQ(::read(numbers[0], both, sizeof(both)), static_cast<ssize_t>(sizeof(both)));
  EXPECT_TRUE(lives(both[0]) && lives(both[1]));
  ::kill(ours, SIGKILL);
  ::waitpid(ours, nullptr, 0);
  EXPECT_TRUE(gone_soon(both[0]));
  EXPECT_TRUE(gone_soon(both[1])) << "a descendant outlives us";
  ::close(numbers[0]);
  ::close(numbers[1]);
}

TEST(Child, HowItEndedIsTold) {
  const auto end_of = [](const char* script) {
    auto child =
        Child::start({.words = {"/bin/sh", "-c", script}, .environment = {}, .folder = {}});
    return child ? child->wait().text() : child.error().line();
  };
  EXPECT_EQ(end_of("exit 3"), "with code 3");
  EXPECT_EQ(end_of("kill -TERM $$"), "by signal 15");
  const auto none = Child::start({.words = {"/nonexistent"}, .environment = {}, .folder = {}});
  ASSERT_FALSE(none);
  EXPECT_EQ(none.error().line(), "/nonexistent: cannot be started: No such file or directory");
}

TEST(Child, MayBeACopyOfOurselves) {
  auto child = Child::run([](int output) {
    const auto told = ::write(output, "42\n", 3);
    static_cast<void>(told);
  });
  ASSERT_TRUE(child);
  EXPECT_EQ(number_from(child->output()), 42);
  EXPECT_EQ(child->wait().text(), "with code 0");
}

Command shell(const char* script) {
  return {"/bin/sh", {"-c", script}, {}, {}};
}

TEST(Command, OutputErrorsAndExitCode) {
  const auto both = run_command(shell("echo out; echo err >&2; exit 3"));
  ASSERT_TRUE(both);
  EXPECT_EQ(both->output, "out\n");
  EXPECT_EQ(both->errors, "err\n");
  EXPECT_EQ(both->exit_code, 3);
  const auto killed = run_command(shell("kill -9 $$"));
  ASSERT_TRUE(killed);
  EXPECT_EQ(killed->exit_code, 128 + 9);
  EXPECT_FALSE(run_command({"/nonexistent", {}, {}, {}}));
}

TEST(Command, MuchOnBothStreamsDoesNotBlock) {
  const auto much = run_command(shell("head -c 300000 /dev/zero >&2; head -c 400000 /dev/zero"));
  ASSERT_TRUE(much);
  EXPECT_EQ(much->errors.size(), 300000U);
  EXPECT_EQ(much->output.size(), 400000U);
}

TEST(Command, ArgumentsArePassedAsTheyAre) {
  const auto echoed = run_command({"/bin/echo", {"a b", "$HOME", "'"}, "/", {}});
  ASSERT_TRUE(echoed);
  EXPECT_EQ(echoed->output, "a b $HOME '\n");
}

/// The refusal of a script that exceeds a limit, and that it came in time.
std::string refusal(const char* script, CommandLimits limits) {
  const auto began = std::chrono::steady_clock::now();
  Command command = shell(script);
  command.limits = limits;
  const auto said = run_command(command);
  EXPECT_LT(std::chrono::steady_clock::now() - began, 20s);
  return said ? "done" : said.error().line();
}

TEST(Command, EveryLimitNamesTheProgramAndItself) {
  EXPECT_EQ(refusal("exec sleep 100", {.time = 300ms}),
            "/bin/sh: ran too long and was ended; expected at most 0.3 s");
  EXPECT_EQ(refusal("exec >&- 2>&-; exec sleep 100", {.time = 300ms}),
            "/bin/sh: ran too long and was ended; expected at most 0.3 s");
  EXPECT_EQ(refusal("exec cat /dev/zero", {.output = std::uint64_t{4} << 20U}),
            "/bin/sh: wrote too much and was ended; expected at most 4 MiB of output");
  EXPECT_EQ(refusal("exec cat /dev/zero >&2", {.output = std::uint64_t{4} << 20U}),
            "/bin/sh: wrote too much and was ended; expected at most 4 MiB of output");
  // A descendant's memory counts; sort keeps what it reads.
  EXPECT_EQ(
      refusal("head -c 400000000 /dev/zero | tr '\\0' '\\n' | sort -S 2G | tail -c 1; sleep 100",
              {.memory = std::uint64_t{64} << 20U}),
      "/bin/sh: took too much memory and was ended; expected at most 64 MiB");
}

// A descendant that holds the streams open is not waited for.
TEST(Command, EndsWithItsLeader) {
  EXPECT_EQ(refusal("sleep 100 & exit 0", {}), "done");
}

}  // namespace
}  // namespace forewarp::tests
