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
gate=${SCALE_FAIL_ON:-}               # order, cost=1.5x, budget, any, none, or several of them
event=${SCALE_EVENT:-task-clock}      # what is sampled: processor time; none counts only
changed_since=${SCALE_CHANGED_SINCE:-} # the commit that the change is reviewed against

mkdir -p "$out"

# 1. Build the program with counters in it. It does what it always does; an ordinary build stays as it is.
# 2. Run it at growing sizes. Counts are the same on every machine. Processor time is sampled too, so that work in
#    libraries (a strcat in a loop) counts.
measure() { # SOURCES BUILD STUDY
  cmake -S "$1" -B "$2" -DCMAKE_BUILD_TYPE=RelWithDebInfo -DCMAKE_C_COMPILER=scale-cc -DCMAKE_CXX_COMPILER=scale-c++ &&
    cmake --build "$2" --parallel || return
  SCALE_PROGRAM_DIR=$(cd "$2" && pwd)
  export SCALE_PROGRAM_DIR
  scale-run run "$workload" -o "$3" --restart --event "$event" --quiet --no-report
}
measure . "$build" "$out/scale.db"

#    Times are compared on one machine only, and runners of a CI are many: so the commit that the change is reviewed
#    against is measured here as well, with the workload of this one. If that does not work, the baseline has its counts.
if [ -n "$changed_since" ] && [ "$event" != none ]; then
  before=$(mktemp -d)
  if git worktree add --quiet --detach "$before/sources" "$changed_since" &&
    measure "$before/sources" "$before/build" "$out/base.db"; then
    baseline=$out/base.db
  else
    echo "review.sh: $changed_since could not be measured here: counts are compared, times are not" >&2
  fi
  git worktree remove --force "$before/sources" || true
  rm -rf "$before"
fi

# 3. The baseline of this commit. On the main branch the CI keeps it for the reviews to come.
scale-run baseline "$out/scale.db" -o "$out/models.json"

# 4. What there is to say, in every form that somebody reads. With a diff of the sources, findings are placed on changed
#    lines, where reviewers see them.
set --
if [ -n "$changed_since" ]; then
  git diff "$changed_since" >"$out/changes.diff"
  set -- --changed "$out/changes.diff"
fi

#    Without a baseline there is nothing to have got worse: then only budgets close the gate.
if [ -n "$baseline" ] && [ -f "$baseline" ]; then
  gate=${gate:-order,cost=1.5x}
else
  echo "review.sh: no baseline: a report instead of a comparison" >&2
  gate=budget
fi
say() { # FORMAT [OPTIONS]
  if [ -n "$baseline" ] && [ -f "$baseline" ]; then
    scale-run diff "$baseline" "$out/scale.db" --format "$@"
  else
    scale-run report "$out/scale.db" --format "$@"
  fi
}
write() { # FORMAT [OPTIONS]: all that closes the gate is in it; whether it is closed is the last step's to say
  say "$@" --fail-on "$gate" || [ $? = 1 ]
}
write markdown -o "$out/comment.md" "$@"
write sarif -o "$out/results.sarif" "$@"
write junit -o "$out/junit.xml" "$@"
write gitlab -o "$out/code-quality.json" "$@"
say html -o "$out/index.html" || echo "review.sh: this scale-run has no page in it" >&2

# 5. To the log, and the gate. GitHub makes annotations of its form.
if [ -n "${GITHUB_ACTIONS:-}" ]; then
  say github "$@" --fail-on "$gate"
else
  say lines "$@" --fail-on "$gate"
fi
