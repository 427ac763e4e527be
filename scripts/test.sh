#!/bin/sh
# `npm test`: sets up, then runs the tests that everyone runs: all but `*.long.test.ts`. With arguments, which go to vitest, it
# runs what they name. TEST_REPORT names a file for the counts as JSON.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh
# Tests start many threads and processes from the same sources: each is compiled once.
export NODE_COMPILE_CACHE="$PWD/node_modules/.cache/compile"
if [ $# = 0 ]; then set -- --exclude '**/*.long.test.ts'; fi
if [ -n "${TEST_REPORT:-}" ]; then
  set -- --reporter=default --reporter=json --outputFile.json="$TEST_REPORT" "$@"
fi
exec vitest run "$@"
