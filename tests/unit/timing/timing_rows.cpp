// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "timing_rows.h"

#include <algorithm>
#include <fstream>
#include <sstream>

namespace forewarp::tests {
namespace {

struct GpuOps {
  SmBuilder sm;
  std::map<std::string, std::uint8_t> units;
  std::map<std::string, Op> ops;
};

/// Reads the file line by line; the first line that it does not know ends it.
class RowReader {
 public:
  bool line(const std::string& text) {
    std::istringstream in(text.substr(0, text.find('#')));
    std::string word;
    if (!(in >> word)) return true;
    if (word == "gpu") return gpu(in);
    if (word == "op") return op(in);
    if (word == "row") return row(in);
    if (rows.empty()) return false;
    if (word == "=") return expected(in);
    return word.front() == 'w' && warp(in);
  }

  std::vector<TimingRow> rows;

 private:
  bool gpu(std::istream& in) {
    std::string name, key;
    double value = 0;
    in >> name;
    gpu_ = &gpus_[name];
    SmMachine& machine = gpu_->sm.machine;
    while (in >> key >> value) {
      const auto count = static_cast<std::uint32_t>(value);
      if (key == "banks")
        machine.banks = count;
      else if (key == "reads")
        machine.bank_reads = count;
      else if (key == "queue")
        machine.memory_queue = count;
      else if (key == "requests")
        machine.sm_requests = count;
      else if (key == "miss")
        machine.constant_miss = ticks(value);
      else if (key == "hold")
        machine.constant_hold = ticks(value);
      else
        return false;
    }
    machine.constant_lines = 8;
    return true;
  }

  bool op(std::istream& in) {
    std::string name, where, key;
    double value = 0;
    if (gpu_ == nullptr || !(in >> name >> where)) return false;
    Op& op = gpu_->ops[name];
    if (where == "memory")
      op.access = first_level(0, 0, 0);
    else if (where.front() != '-')
      take_unit(op, where);
    while (in >> key >> value) {
      if (key == "latency")
        op.latency = value;
      else if (key == "port")
        op.port = value;
      else if (key == "queued")
        set_queue(op, static_cast<std::uint32_t>(value));
      else if (!op.access)
        return false;
      else if (key == "collect")
        op.access->collect = ticks(value);
      else if (key == "leave")
        op.access->leave = ticks(value);
      else if (key == "after")
        op.access->after = ticks(value);
      else if (key == "interface")
        op.access->interface = ticks(value);
      else
        return false;
    }
    return true;
  }

  void take_unit(Op& op, const std::string& where) {
    const std::size_t colon = where.find(':');
    const auto [unit, is_new] = gpu_->units.try_emplace(where.substr(0, colon), std::uint8_t{0});
    if (is_new) unit->second = gpu_->sm.unit();
    op.unit = unit->second;
    op.taken = std::stod(where.substr(colon + 1));
  }

  void set_queue(Op& op, std::uint32_t queued) {
    op.variable = true;
    gpu_->sm.machine.pipes[op.unit].queued = queued;
  }

  bool row(std::istream& in) {
    TimingRow row;
    std::string name;
    if (!(in >> row.number >> name) || gpus_.count(name) == 0) return false;
    std::getline(in >> std::ws, row.text);
    gpu_ = &gpus_[name];
    row.sm = gpu_->sm;
    rows.push_back(std::move(row));
    return true;
  }

  bool warp(std::istream& in) {
    std::vector<Op> ops;
    std::string piece;
    while (std::getline(in, piece, ';')) {
      std::size_t times = 1;
      const std::size_t star = piece.find('*');
      if (star != std::string::npos) {
        times = std::stoul(piece);
        piece = piece.substr(star + 1);
      }
      Op one;
      if (!instruction(piece, one)) return false;
      ops.insert(ops.end(), times, one);
    }
    rows.back().sm.warp(ops);
    return true;
  }

  bool instruction(const std::string& piece, Op& out) {
    const std::size_t open = piece.find('{'), close = piece.find('}');
    if (close == std::string::npos || open > close) return false;
    std::istringstream name(piece.substr(0, open));
    std::string word;
    if (!(name >> word) || gpu_->ops.count(word) == 0) return false;
    out = gpu_->ops[word];
    std::istringstream control(piece.substr(open + 1, close - open - 1));
    if (!(control >> out.stall)) return false;
    while (control >> word) {
      if (!field(word, out)) return false;
    }
    std::istringstream operands(piece.substr(close + 1));
    while (operands >> word) {
      if (!operand(word, out)) return false;
    }
    return true;
  }

  static bool field(const std::string& word, Op& out) {
    const auto number = [&](std::size_t at) { return std::stoi(word.substr(at)); };
    if (word == "yield")
      out.stall = std::max(out.stall, 2.0);
    else if (word.starts_with("wr"))
      out.write = static_cast<std::uint8_t>(number(2));
    else if (word.starts_with("rd"))
      out.read = static_cast<std::uint8_t>(number(2));
    else if (word.starts_with("wait"))
      out.wait = static_cast<std::uint8_t>(out.wait | 1U << number(4));
    else if (word.starts_with("le")) {
      out.scoreboard = number(2);
      out.left = number(word.find(':') + 1);
    } else {
      return false;
    }
    return true;
  }

  bool operand(const std::string& word, Op& out) const {
    const int number = std::stoi(word.substr(1));
    if (word.front() == 'c') {
      out.constant = static_cast<std::uint32_t>(number);
      return true;
    }
    if (word.front() != 'R') return false;
    const auto slot = static_cast<std::uint8_t>(out.ports.size());
    const auto bank =
        static_cast<std::uint8_t>(static_cast<std::uint32_t>(number) % gpu_->sm.machine.banks);
    out.ports.push_back({bank, slot, word.ends_with(".reuse"), static_cast<std::uint16_t>(number)});
    return true;
  }

  bool expected(std::istream& in) {
    std::string name;
    if (!(in >> name) || name.front() != 'w') return false;
    Cycles& cycles = rows.back().expected[static_cast<std::uint32_t>(std::stoul(name.substr(1)))];
    double at = 0;
    while (in >> at) cycles.push_back(at);
    return !cycles.empty();
  }

  std::map<std::string, GpuOps> gpus_;
  GpuOps* gpu_ = nullptr;
};

}  // namespace

std::vector<TimingRow> read_timing_rows(const std::string& path, std::string& fault) {
  std::ifstream file(path);
  if (!file) fault = path + " cannot be read";
  RowReader reader;
  std::string text;
  for (int number = 1; std::getline(file, text); ++number) {
    if (reader.line(text)) continue;
    fault = path + ":" + std::to_string(number) + ": " + text;
    break;
  }
  return std::move(reader.rows);
}

}  // namespace forewarp::tests
