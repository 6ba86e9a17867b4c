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

# build PRESET [TARGET..]: configures once, later runs only build what changed.
build() {
  local preset=$1
  shift
  local folder=build/$preset
  if [ ! -f "$folder/build.ninja" ]; then
    quietly "$folder.configure.log" cmake --preset "$preset" || return 1
  fi
  quietly "$folder.build.log" cmake --build "$folder" -j "$jobs" ${1:+--target "$@"}
}

# run_tests PRESET [CTEST OPTION..]: silent when green, then ctest's own summary with its count last.
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
  awk '/^\[==========\] [0-9]+ tests? from/ {cases += $2} /^\[  SKIPPED \] [0-9]+ test/ {skipped += $4}
       END {printf "%d cases inside them, %d skipped\n", cases, skipped}' \
    "build/$preset/Testing/Temporary/LastTest.log"
  grep -E '^[0-9]+% tests passed' "$log"
}
