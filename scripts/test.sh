#!/bin/sh
# `npm test`: sets up, then runs the tests; arguments go to vitest. TEST_REPORT names a file for the counts as JSON.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh
if [ -n "${TEST_REPORT:-}" ]; then
  set -- --reporter=default --reporter=json --outputFile.json="$TEST_REPORT" "$@"
fi
exec vitest run "$@"
