// SPDX-FileCopyrightText: The Forewarp authors
// SPDX-License-Identifier: Apache-2.0
#include "shell_texts.h"

#include <functional>
#include <string_view>
#include <vector>

#include "base/text.h"

namespace forewarp::cli {
namespace {

/// Calls `see` for every command that the help shows, with its name behind those above it.
void walk(const Command& command, const std::string& path,
          const std::function<void(const Command&, const std::string&)>& see) {
  see(command, path);
  for (const Command& below : command.commands) {
    if (!below.hidden) walk(below, path.empty() ? below.name : path + ' ' + below.name, see);
  }
}

/// "-o,--output": both. An argument has none.
std::vector<std::string> names_of(const Flag& flag) {
  std::vector<std::string> names;
  for (const std::string_view name : split(flag.names, ',')) {
    if (name.starts_with('-')) names.emplace_back(name);
  }
  return names;
}

std::vector<std::string> words_of(const Command& command) {
  std::vector<std::string> words;
  for (const Command& below : command.commands) {
    if (!below.hidden) words.push_back(below.name);
  }
  for (const Flag& flag : command.flags) {
    if (flag.hidden) continue;
    for (const std::string& name : names_of(flag)) words.push_back(name);
  }
  return words;
}

/// For single quotes of a shell.
std::string in_quotes(std::string_view text) {
  std::string out = "'";
  for (const char c : text) out += c == '\'' ? std::string("'\\''") : std::string(1, c);
  return out + '\'';
}

/// A line that begins with a dot or a quote would be a request.
std::string roff(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '\\' || c == '-') out += '\\';
    out += c == '\\' ? 'e' : c;
  }
  return out.starts_with('.') || out.starts_with('\'') ? "\\&" + out : out;
}

}  // namespace

std::string bash_completion(const Command& program) {
  std::string commands, values;
  walk(program, "", [&](const Command& command, const std::string& path) {
    commands +=
        "    " + in_quotes(path) + ") words=" + in_quotes(join(words_of(command), " ")) + " ;;\n";
    for (const Flag& flag : command.flags) {
      if (flag.hidden || flag.one_of.empty()) continue;
      for (const std::string& name : names_of(flag)) {
        values += "    " + in_quotes(path + ' ' + name) +
                  ") words=" + in_quotes(join(flag.one_of, " ")) + " ;;\n";
      }
    }
  });
  return "# Completion of forewarp for bash; made by `forewarp completion bash`.\n"
         "_forewarp_words() {\n"
         "  case \"$1\" in\n" +
         commands +
         "    *) return 1 ;;\n"
         "  esac\n"
         "}\n"
         "_forewarp() {\n"
         "  local words='' path='' word at next current=${COMP_WORDS[COMP_CWORD]}\n"
         "  for ((at = 1; at < COMP_CWORD; ++at)); do\n"
         "    word=${COMP_WORDS[at]}\n"
         "    next=${path:+$path }$word\n"
         "    [[ $word != -* ]] && _forewarp_words \"$next\" && path=$next\n"
         "  done\n"
         "  _forewarp_words \"$path\"\n"
         "  case \"$path ${COMP_WORDS[COMP_CWORD - 1]}\" in\n" +
         values +
         "    *' --gpu') words=$(forewarp gpu list 2>/dev/null | awk 'NR > 1 { print $1 }') ;;\n"
         "  esac\n"
         "  COMPREPLY=($(compgen -W \"$words\" -- \"$current\"))\n"
         "  [[ $current != -* ]] && COMPREPLY+=($(compgen -f -- \"$current\"))\n"
         "}\n"
         "complete -o filenames -F _forewarp forewarp\n";
}

std::string zsh_completion(const Command& program) {
  return "#compdef forewarp\nautoload -U +X bashcompinit && bashcompinit\n" +
         bash_completion(program);
}

std::string fish_completion(const Command& program) {
  std::string text = "# Completion of forewarp for fish; made by `forewarp completion fish`.\n";
  walk(program, "", [&](const Command& command, const std::string& path) {
    std::string when = "__fish_use_subcommand";
    if (!path.empty()) {
      std::vector<std::string> seen;
      for (const std::string_view word : split(path, ' ')) {
        seen.push_back("__fish_seen_subcommand_from " + std::string(word));
      }
      when = join(seen, "; and ");
    }
    const std::string head = "complete -c forewarp -n " + in_quotes(when);
    for (const Command& below : command.commands) {
      if (below.hidden) continue;
      text += head + " -a " + below.name + " -d " + in_quotes(below.sentence) + '\n';
    }
    for (const Flag& flag : command.flags) {
      if (flag.hidden) continue;
      for (const std::string& name : names_of(flag)) {
        text += head + (name.starts_with("--") ? " -l " + name.substr(2) : " -s " + name.substr(1));
        if (!flag.one_of.empty()) text += " -xa " + in_quotes(join(flag.one_of, " "));
        text += " -d " + in_quotes(flag.help) + '\n';
      }
    }
  });
  return text;
}

std::string manual_page(const Command& program) {
  std::string text = ".TH FOREWARP 1\n.SH NAME\nforewarp \\- " + roff(program.sentence) +
                     "\n.SH SYNOPSIS\n.B forewarp\n.I COMMAND\n[\\fIOPTION\\fR ...]\n";
  walk(program, "", [&](const Command& command, const std::string& path) {
    if (path.empty()) return;
    text += ".SH " + roff(path) + '\n' + roff(command.sentence) + '\n';
    for (const Flag& flag : command.flags) {
      if (flag.hidden) continue;
      text += ".TP\n\\fB" + roff(flag.names) + "\\fR\n" + roff(flag.help);
      if (!flag.one_of.empty()) text += " (" + roff(join(flag.one_of, ", ")) + ')';
      text += '\n';
    }
  });
  return text +
         ".SH EXIT STATUS\n0: done; 1: it could not be done, one line says why; 2: wrong usage\n"
         ".SH ENVIRONMENT\n.TP\n\\fBFOREWARP_DATA\\fR\nthe folder of the GPU data\n";
}

}  // namespace forewarp::cli
