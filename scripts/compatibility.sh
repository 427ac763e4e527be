#!/bin/sh
# `npm run compatibility`: installs the packages of test/compatibility by their lock file, then runs every scenario.
# Writes RESULTS.md; with TEST_REPORT, the file for the counts as JSON, only checks it. Exits with 75 without a registry.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh
export NODE_COMPILE_CACHE="$PWD/node_modules/.cache/compile"

folder=test/compatibility
stamp=$folder/node_modules/.installed
wanted=$(cksum <"$folder/package-lock.json")
if [ "$(cat "$stamp" 2>/dev/null || :)" != "$wanted" ]; then
  echo "Installing the packages of $folder" >&2
  log=$(mktemp)
  if ! (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund --fetch-retry-mintimeout=500 --fetch-retry-maxtimeout=2000) >"$log" 2>&1; then
    cat "$log" >&2
    if grep -Eq 'ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ECONNRESET|ENETUNREACH|EHOSTUNREACH|ETIMEDOUT|TIMEOUT' "$log"; then
      rm -f "$log"
      exit 75
    fi
    rm -f "$log"
    exit 1
  fi
  rm -f "$log"
  echo "$wanted" >"$stamp"
fi

if [ -n "${TEST_REPORT:-}" ]; then
  set -- --reporter=default --reporter=json --outputFile.json="$TEST_REPORT" "$@"
else
  set -- --update "$@"
fi
COMPATIBILITY_PACKAGES=installed exec vitest run "$folder/compatibility.long.test.ts" "$@"
