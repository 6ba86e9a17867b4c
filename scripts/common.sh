# SPDX-FileCopyrightText: The Forewarp authors
# SPDX-License-Identifier: Apache-2.0
# Sourced by the scripts: the root folder, how many jobs, and quiet steps.
root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
cd "$root"
jobs=${JOBS:-$(nproc)}

# quietly LOG COMMAND..: the output goes to LOG and is shown only when the command fails.
quietly() {
  local log=$1
  shift
  mkdir -p "$(dirname "$log")"
  if ! "$@" >"$log" 2>&1; then
    cat "$log" >&2
    echo "failed: $*" >&2
    return 1
  fi
}

# build PRESET [TARGET..]: configures once, and again when packages were installed and a part had been left out
# (cmake/Parts.cmake); later runs only build what changed.
build() {
  local preset=$1
  shift
  local folder=build/$preset
  if [ ! -f "$folder/build.ninja" ]; then
    quietly "$folder.configure.log" cmake --preset "$preset" || return 1
  fi
  quietly "$folder.build.log" cmake --build "$folder" -j "$jobs" ${1:+--target "$@"}
}

# cases PRESET: how many cases the last tests had inside them, and how many of these were skipped, and why: tests/command/needs.py
# and tests/run_unit_tests.cpp say so.
cases() {
  awk '/^\[==========\] [0-9]+ tests? from/ {cases += $2}
       /^Ran [0-9]+ tests? in/ {cases += $2}
       /^skipped: / {sub(/^skipped: [^ ]+ /, ""); sub(/ \(.*/, ""); if (!count[$0]++) reasons[++kinds] = $0; skipped++}
       END {
         printf "%d cases inside them", cases
         for (i = 1; i <= kinds; i++) why = why (i > 1 ? ", " : ": ") count[reasons[i]] " " reasons[i]
         print "; " skipped + 0 " skipped" why
       }' "build/$1/Testing/Temporary/LastTest.log"
}

# run_tests PRESET [CTEST OPTION..]: silent when green, then ctest's own summary and cases().
run_tests() {
  local preset=$1
  shift
  local log=build/$preset.test.log
  if ! ctest --test-dir "build/$preset" -j "$jobs" --output-on-failure --no-label-summary "$@" \
      >"$log" 2>&1; then
    cat "$log" >&2
    return 1
  fi
  sed -n '/^Total Test time/p; /^The following tests did not run/,$p' "$log"
  grep -E '^[0-9]+% tests passed' "$log"
  cases "$preset"
}
