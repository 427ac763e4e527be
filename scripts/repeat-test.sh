#!/bin/sh
# Runs `npm test` again and again on a fresh clone of HEAD, first with the machine to itself, then beside busy processes. Prints
# a line for each run, keeps the output of a run that failed, and fails when one did.
# sh scripts/repeat-test.sh [QUIET RUNS] [BUSY RUNS] [BUSY PROCESSES], default 5 5 8
set -eu
quiet=${1:-5}
busy=${2:-5}
processes=${3:-8}
root=$(cd "$(dirname "$0")/.." && pwd)
folder=$(mktemp -d)
burners=
stop_burners() {
  for pid in $burners; do kill "$pid" 2>/dev/null || :; done
  burners=
}
trap 'stop_burners; rm -rf "$folder/clone"' EXIT
trap 'exit 130' HUP INT TERM

git clone --quiet "$root" "$folder/clone"
cd "$folder/clone"
failures=0
run() {
  log=$folder/$1.log
  start=$(date +%s)
  if npm test >"$log" 2>&1; then result=passed; else result=FAILED; fi
  seconds=$(($(date +%s) - start))
  counts=$(sed 's/\x1b\[[0-9;]*m//g' "$log" | sed -n 's/^ *Tests  *//p')
  echo "$1: $result in $seconds s, $counts"
  if [ "$result" = FAILED ]; then
    failures=$((failures + 1))
    echo "  output: $log"
  else
    rm "$log"
  fi
}

n=0
while [ "$n" -lt "$quiet" ]; do
  n=$((n + 1))
  run "quiet-$n"
done
n=0
while [ "$n" -lt "$processes" ]; do
  n=$((n + 1))
  (while :; do :; done) &
  burners="$burners $!"
done
n=0
while [ "$n" -lt "$busy" ]; do
  n=$((n + 1))
  run "busy-$n"
done
echo "$((quiet + busy - failures)) passed, $failures failed"
[ "$failures" = 0 ]
