#!/bin/sh
# SPDX-License-Identifier: MIT
# What a change does to the complexity of a CMake project, for a code review. Copy it into the project; github.yml and
# gitlab-ci.yml beside it call it, and so can you:
#
#   sh review.sh                  measures, and reports what is found
#   sh review.sh models.json      measures, and compares with the baseline of the main branch
#
# All of it goes to the folder review/: comment.md, results.sarif, junit.xml, code-quality.json, and models.json, the
# baseline of what was measured now. The exit status is that of scale-run: 1 if the gate is closed (SCALE_FAIL_ON),
# 2 and more if something does not work.
set -eu

baseline=${1:-}
workload=${SCALE_WORKLOAD:-scale.xml} # what to run at which sizes, and the budgets
out=${SCALE_OUT:-review}
build=${SCALE_BUILD_DIR:-build-scale}
gate=${SCALE_FAIL_ON:-}               # order, budget, any, none
changed_since=${SCALE_CHANGED_SINCE:-} # the commit that the change is reviewed against

mkdir -p "$out"

# 1. Build the program with counters in it. It does what it always does; an ordinary build stays as it is.
cmake -S . -B "$build" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER=scale-cc -DCMAKE_CXX_COMPILER=scale-c++
cmake --build "$build" --parallel

# 2. Run it at growing sizes. Counts are the same on every machine; times are compared on one machine only, and runners
#    of a CI are many, so none are sampled unless you say so (SCALE_EVENT=task-clock).
SCALE_PROGRAM_DIR=$(cd "$build" && pwd)
export SCALE_PROGRAM_DIR
scale-run run "$workload" -o "$out/scale.db" --restart --event "${SCALE_EVENT:-none}" --quiet --no-report

# 3. The baseline of this commit. On the main branch the CI keeps it for the reviews to come.
scale-run baseline "$out/scale.db" -o "$out/models.json"

# 4. What there is to say, in every form that somebody reads. With a diff of the sources, findings are placed on changed
#    lines, where reviewers see them.
set --
if [ -n "$changed_since" ]; then
  git diff "$changed_since" >"$out/changes.diff"
  set -- --changed "$out/changes.diff"
fi
say() { # FORMAT [OPTIONS]
  if [ -n "$baseline" ] && [ -f "$baseline" ]; then
    scale-run diff "$baseline" "$out/scale.db" --format "$@"
  else
    scale-run report "$out/scale.db" --format "$@"
  fi
}
say markdown -o "$out/comment.md" "$@"
say sarif -o "$out/results.sarif" "$@"
say junit -o "$out/junit.xml" "$@"
say gitlab -o "$out/code-quality.json" "$@"
say html -o "$out/index.html" || echo "review.sh: this scale-run has no page in it" >&2

# 5. To the log, and the gate. GitHub makes annotations of its form. Without a baseline there is nothing to have got
#    worse: then only budgets close the gate.
if [ -n "$baseline" ] && [ -f "$baseline" ]; then
  gate=${gate:-order}
else
  echo "review.sh: no baseline: a report instead of a comparison" >&2
  gate=budget
fi
if [ -n "${GITHUB_ACTIONS:-}" ]; then
  say github "$@" --fail-on "$gate"
else
  say lines "$@" --fail-on "$gate"
fi
