// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "program_run/settings.h"

#include "base/checked_json.h"

namespace forewarp::program_run {
namespace {
constexpr const char* execute_names[] = {"auto", "all", "sample"};
}

std::string settings_text(const Settings& settings) {
  return CheckedJson{{"gpus", settings.gpus},
                     {"devices", settings.devices},
                     {"execute", execute_names[static_cast<std::size_t>(settings.execute)]},
                     {"budget_s", settings.budget_s},
                     {"limit_s", settings.limit_s},
                     {"virtual_clock", settings.virtual_clock},
                     {"host_factor", settings.host_factor},
                     {"threads", settings.threads},
                     {"host", settings.host},
                     {"data", settings.data},
                     {"journal", settings.journal},
                     {"toolkit", settings.toolkit},
                     {"record", settings.record},
                     {"again", settings.again},
                     {"assume_isa", settings.assume_isa},
                     {"select", settings.selection.select},
                     {"skip", settings.selection.skip},
                     {"launches", settings.selection.launches}}
      .dump();
}

Expected<Settings> parse_settings(std::string_view text) {
  const auto refuse = [] {
    return Diagnostic{settings_variable, "is not what forewarp run gives a program", "",
                      "start the program with 'forewarp run --gpu ID -- PROGRAM'"};
  };
  const CheckedJson read = CheckedJson::parse(text, nullptr, false);
  if (!read.is_object()) return refuse();
  Settings settings;
  try {
    settings.gpus = read.at("gpus").get<std::vector<std::string>>();
    settings.devices = read.value("devices", settings.devices);
    const auto execute = read.value("execute", std::string(execute_names[0]));
    for (std::size_t i = 0; i < std::size(execute_names); ++i) {
      if (execute == execute_names[i]) settings.execute = static_cast<Execute>(i);
    }
    settings.budget_s = read.value("budget_s", settings.budget_s);
    settings.limit_s = read.value("limit_s", settings.limit_s);
    settings.virtual_clock = read.value("virtual_clock", settings.virtual_clock);
    settings.host_factor = read.value("host_factor", settings.host_factor);
    settings.threads = read.value("threads", settings.threads);
    settings.host = read.value("host", settings.host);
    settings.data = read.value("data", settings.data);
    settings.journal = read.value("journal", settings.journal);
    settings.toolkit = read.value("toolkit", settings.toolkit);
    settings.record = read.value("record", settings.record);
    settings.again = read.value("again", settings.again);
    settings.assume_isa = read.value("assume_isa", settings.assume_isa);
    settings.selection.select = read.value("select", settings.selection.select);
    settings.selection.skip = read.value("skip", settings.selection.skip);
    settings.selection.launches = read.value("launches", settings.selection.launches);
  } catch (const CheckedJson::exception&) {
    return refuse();
  }
  if (settings.gpus.empty() || settings.devices == 0) return refuse();
  return settings;
}

}  // namespace forewarp::program_run
