#!/bin/sh
# `npm test`: sets up, then runs the tests; arguments go to vitest. TEST_REPORT names a file for the counts as JSON.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh
# Tests start many threads and processes from the same sources: each is compiled once.
export NODE_COMPILE_CACHE="$PWD/node_modules/.cache/compile"
if [ -n "${TEST_REPORT:-}" ]; then
  set -- --reporter=default --reporter=json --outputFile.json="$TEST_REPORT" "$@"
fi
exec vitest run "$@"
