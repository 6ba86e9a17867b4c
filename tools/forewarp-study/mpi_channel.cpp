// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include <chrono>
#include <cstdlib>
#include <thread>

#include "channel.h"

#define OMPI_SKIP_MPICXX 1
#define MPICH_SKIP_MPICXX 1
#include <mpi.h>

namespace forewarp::cli {
namespace {

class MpiChannel : public Channel {
 public:
  MpiChannel(int rank, int count) : rank_(rank), count_(count) {}
  MpiChannel(const MpiChannel&) = delete;
  MpiChannel& operator=(const MpiChannel&) = delete;
  ~MpiChannel() override { MPI_Finalize(); }

  [[nodiscard]] int rank() const override { return rank_; }
  [[nodiscard]] int count() const override { return count_; }

  void send(int to, const Message& message) override {
    MPI_Send(message.bytes.data(), static_cast<int>(message.bytes.size()), MPI_BYTE, to,
             message.kind, MPI_COMM_WORLD);
  }

  std::pair<int, Message> poll() override {
    int there = 0;
    MPI_Status status;
    MPI_Iprobe(MPI_ANY_SOURCE, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
    if (there == 0) return {-1, {}};
    return {status.MPI_SOURCE, receive(status)};
  }

  /// Open MPI spins while it waits; a worker that is out of work leaves the core to others.
  Message wait_for_first() override {
    constexpr std::chrono::microseconds pause(200);
    for (;;) {
      int there = 0;
      MPI_Status status;
      MPI_Iprobe(0, MPI_ANY_TAG, MPI_COMM_WORLD, &there, &status);
      if (there != 0) return receive(status);
      std::this_thread::sleep_for(pause);
    }
  }

 private:
  static Message receive(const MPI_Status& status) {
    int size = 0;
    MPI_Get_count(&status, MPI_BYTE, &size);
    Message message{static_cast<Message::Kind>(status.MPI_TAG),
                    std::string(static_cast<std::size_t>(size), '\0')};
    MPI_Recv(message.bytes.data(), size, MPI_BYTE, status.MPI_SOURCE, status.MPI_TAG,
             MPI_COMM_WORLD, MPI_STATUS_IGNORE);
    return message;
  }

  int rank_, count_;
};

/// Without a launcher a process would be its own; starting MPI for that alone takes long.
bool launched() {
  for (const char* name : {"OMPI_COMM_WORLD_SIZE", "PMI_SIZE", "PMIX_RANK"}) {
    if (std::getenv(name) != nullptr) return true;
  }
  return false;
}

}  // namespace

std::unique_ptr<Channel> open_mpi_channel() {
  if (!launched()) return nullptr;
  int level = 0, rank = 0, count = 1;
  // Points are also computed in threads; one thread alone speaks to the others.
  if (MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &level) != MPI_SUCCESS) return nullptr;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Comm_size(MPI_COMM_WORLD, &count);
  auto channel = std::make_unique<MpiChannel>(rank, count);
  if (count == 1) return nullptr;
  return channel;
}

}  // namespace forewarp::cli
