// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "store/trace_database.h"

#include <utility>

#include "measured/exports/export_values.h"
#include "store/database.h"

namespace forewarp::store {
namespace {

constexpr double per_nano = 1e-9;

/// Numbers of CUPTI.
enum CopyKind : std::int64_t { host_to_device = 1, device_to_host = 2 };
enum MemoryKind : std::int64_t { pinned = 2 };

bool has_table(Database& database, const std::string& name) {
  const auto count = database.number(
      "SELECT COUNT(*) FROM sqlite_master WHERE type = 'table' AND name = '" + name + "'");
  return count && *count > 0;
}

DeviceOperation operation_of(const Statement& row) {
  DeviceOperation one;
  one.begin_s = row.number(0) * per_nano;
  one.end_s = row.number(1) * per_nano;
  one.device = static_cast<std::uint64_t>(row.whole(2));
  one.stream = static_cast<std::uint64_t>(row.whole(3));
  return one;
}

template <typename Read>
Expected<void> each_row(Database& database, const std::string& sql, const Read& read) {
  auto statement = database.prepare(sql);
  if (!statement) return std::move(statement).error();
  for (;;) {
    switch (statement->step()) {
      case Step::row:
        read(*statement);
        continue;
      case Step::done:
        return {};
      case Step::failed:
        return database.fault();
    }
  }
}

Expected<void> read_kernels(Database& database, DeviceTrace& trace) {
  return each_row(
      database,
      "SELECT k.start, k.end, k.deviceId, k.streamId, s.value, k.gridX, k.gridY, k.gridZ, "
      "k.blockX, k.blockY, k.blockZ FROM CUPTI_ACTIVITY_KIND_KERNEL k "
      "LEFT JOIN StringIds s ON s.id = k.shortName",
      [&](const Statement& row) {
        DeviceOperation one = operation_of(row);
        one.name = exported_kernel_name(row.text(4));
        const auto extent = [&](int at) {
          return exported_extent(row.text(at) + "," + row.text(at + 1) + "," + row.text(at + 2));
        };
        constexpr int grid = 5, block = 8;
        one.grid = extent(grid);
        one.block = extent(block);
        trace.operations.push_back(std::move(one));
      });
}

Expected<void> read_copies(Database& database, DeviceTrace& trace) {
  return each_row(database,
                  "SELECT start, end, deviceId, streamId, bytes, copyKind, srcKind, dstKind FROM "
                  "CUPTI_ACTIVITY_KIND_MEMCPY",
                  [&](const Statement& row) {
                    DeviceOperation one = operation_of(row);
                    constexpr int bytes = 4, kind = 5, source = 6, target = 7;
                    one.bytes = row.number(bytes);
                    one.name = "copy";
                    const bool in = row.whole(kind) == host_to_device;
                    if (in) one.direction = CopyDirection::to_device;
                    if (row.whole(kind) == device_to_host) one.direction = CopyDirection::to_host;
                    const bool is_pinned = row.whole(in ? source : target) == pinned;
                    one.memory = is_pinned ? HostMemory::pinned : HostMemory::pageable;
                    trace.operations.push_back(std::move(one));
                  });
}

Expected<void> read_fills(Database& database, DeviceTrace& trace) {
  return each_row(database, "SELECT start, end, deviceId, streamId FROM CUPTI_ACTIVITY_KIND_MEMSET",
                  [&](const Statement& row) {
                    DeviceOperation one = operation_of(row);
                    one.name = "fill";
                    trace.operations.push_back(std::move(one));
                  });
}

}  // namespace

Expected<DeviceTrace> read_trace_database(const std::string& file) {
  auto database = Database::open(file, Database::Access::read);
  if (!database) return std::move(database).error();
  DeviceTrace trace;
  trace.file = file;
  using Reader = Expected<void> (*)(Database&, DeviceTrace&);
  for (const auto& [table, read] :
       {std::pair<const char*, Reader>("CUPTI_ACTIVITY_KIND_KERNEL", read_kernels),
        {"CUPTI_ACTIVITY_KIND_MEMCPY", read_copies},
        {"CUPTI_ACTIVITY_KIND_MEMSET", read_fills}}) {
    if (!has_table(*database, table)) continue;
    if (auto fine = read(*database, trace); !fine) return fine.error();
  }
  return finished_trace(std::move(trace));
}

}  // namespace forewarp::store
