// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "rank_runner.h"

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <string_view>
#include <thread>
#include <utility>

#include "sweep/points/raw_bytes.h"

namespace forewarp::cli {
namespace {

constexpr std::chrono::microseconds nothing_there(200);
constexpr std::chrono::milliseconds out_of_work(5);

void append(std::string& bytes, std::uint64_t value) {
  append_raw(bytes, value);
}

void append(std::string& bytes, const std::string& text) {
  append(bytes, text.size());
  bytes += text;
}

std::uint64_t cut_number(std::string_view& bytes) {
  std::uint64_t value = 0;
  if (!cut_raw(bytes, value)) bytes = {};
  return value;
}

std::string cut_text(std::string_view& bytes) {
  const std::uint64_t size = cut_number(bytes);
  std::string text(bytes.substr(0, size));
  bytes.remove_prefix(text.size());
  return text;
}

/// What a worker says: how many points it wants, and what became of those before.
struct Request {
  std::uint64_t job = 0;  // which of the command's
  std::uint64_t wanted = 0;
  std::vector<std::uint64_t> numbers;
  std::vector<std::string> bytes;
};

std::string request_bytes(const Request& request) {
  std::string bytes;
  append(bytes, request.job);
  append(bytes, request.wanted);
  append(bytes, request.numbers.size());
  for (const std::uint64_t number : request.numbers) append(bytes, number);
  for (const std::string& point : request.bytes) append(bytes, point);
  return bytes;
}

Request read_request(std::string_view bytes) {
  Request request;
  request.job = cut_number(bytes);
  request.wanted = cut_number(bytes);
  const std::uint64_t count = cut_number(bytes);
  for (std::uint64_t i = 0; i < count; ++i) request.numbers.push_back(cut_number(bytes));
  for (std::uint64_t i = 0; i < count; ++i) request.bytes.push_back(cut_text(bytes));
  return request;
}

}  // namespace

RankRunner::~RankRunner() {
  if (!keeps()) {
    channel_.send(0, {Message::leaving, {}});
    return;
  }
  std::vector<bool> told(static_cast<std::size_t>(channel_.count()), false);
  ++job_;  // there is no further one: who asks for it is told so
  while (left_ + 1 < channel_.count()) {
    const auto [rank, message] = next_message();
    if (rank < 0) {
      std::this_thread::sleep_for(nothing_there);
    } else if (message.kind == Message::leaving) {
      ++left_;
    } else if (message.kind == Message::request) {
      channel_.send(rank, {Message::ended, {}});
      told[static_cast<std::size_t>(rank)] = true;
    } else if (message.kind == Message::failed && !told[static_cast<std::size_t>(rank)]) {
      std::fprintf(stderr, "forewarp: rank %d: %s\n", rank, message.bytes.c_str());
    }
  }
}

Expected<void> RankRunner::run(const PointJob& job) {
  ++job_;
  return keeps() ? hand_out(job) : work(job);
}

Expected<void> RankRunner::hand_out(const PointJob& job) {
  std::vector<std::string> all(job.everywhere ? job.count : 0);
  PointJob own = job;
  own.take = [&](std::uint64_t number, std::string_view bytes, bool computed) {
    if (job.everywhere) all[number] = bytes;
    return job.take(number, bytes, computed);
  };
  ChunkQueue book(own);
  std::thread here([&] { work_off(book, own, 0); });
  Expected<void> outcome;
  std::vector<bool> through(static_cast<std::size_t>(channel_.count()), false);  // of the ranks
  through[0] = true;
  while (std::find(through.begin(), through.end(), false) != through.end()) {
    const auto [rank, message] = next_message();
    if (rank < 0) {
      std::this_thread::sleep_for(nothing_there);
      continue;
    }
    const auto index = static_cast<std::size_t>(rank);
    if (message.kind == Message::request && through[index]) {
      early_.emplace_back(rank, message);  // it is at the next job already
    } else if (message.kind == Message::request) {
      through[index] = answer(book, rank, message.bytes, all);
    } else if (message.kind == Message::failed) {
      outcome = Diagnostic{"rank " + std::to_string(rank), message.bytes, "", ""};
    } else if (message.kind == Message::leaving) {
      ++left_;
      if (!through[index]) book.end();  // it could not begin
      through[index] = true;
    }
  }
  here.join();
  return outcome;
}

/// Those that came before their job did come first.
std::pair<int, Message> RankRunner::next_message() {
  for (auto early = early_.begin(); early != early_.end(); ++early) {
    if (read_request(early->second.bytes).job != job_) continue;
    std::pair<int, Message> found = std::move(*early);
    early_.erase(early);
    return found;
  }
  return channel_.poll();
}

/// True: the worker was told that all is done.
bool RankRunner::answer(ChunkQueue& book, int rank, const std::string& bytes,
                        const std::vector<std::string>& all) {
  const Request request = read_request(bytes);
  if (!request.numbers.empty()) book.give(request.numbers, request.bytes);
  const std::vector<std::uint64_t> numbers = book.claim(request.wanted);
  Message reply{Message::wait, {}};
  if (!numbers.empty()) {
    reply.kind = Message::chunk;
    for (const std::uint64_t number : numbers) append(reply.bytes, number);
  } else if (book.out() == 0) {
    reply.kind = Message::done;
    for (const std::string& point : all) append(reply.bytes, point);
  }
  channel_.send(rank, reply);
  return reply.kind == Message::done;
}

Expected<void> RankRunner::work(const PointJob& job) {
  ChunkSize size;
  Request request;
  for (;;) {
    request.job = job_;
    request.wanted = size.points();
    channel_.send(0, {Message::request, request_bytes(request)});
    request = {};
    const Message reply = channel_.wait_for_first();
    std::string_view bytes = reply.bytes;
    if (reply.kind == Message::chunk) {
      while (!bytes.empty()) request.numbers.push_back(cut_number(bytes));
      request.bytes = computed(job, request.numbers, 0, size);
    } else if (reply.kind == Message::wait) {
      std::this_thread::sleep_for(out_of_work);
    } else if (reply.kind == Message::done) {
      for (std::uint64_t number = 0; !bytes.empty(); ++number) {
        const std::string point = cut_text(bytes);
        if (!point.empty()) job.take(number, point, false);
      }
      return {};
    } else {
      return Diagnostic{"rank " + std::to_string(channel_.rank()), "the first rank ended the run",
                        "", ""};
    }
  }
}

}  // namespace forewarp::cli
