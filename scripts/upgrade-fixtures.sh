#!/bin/sh
# Writes test/upgrade/data: for each commit a data folder as the service of that commit leaves it, and what its REST interface
# answered. Usage: scripts/upgrade-fixtures.sh [COMMIT…]; without arguments, the last commit of each schema version so far.
# With POSTGRES=URL the data is in a schema `fixture` of that database, and test/upgrade/postgres gets its dump.
# A new schema version gets its fixture when the next one is begun: add the last commit before it to the lists.
set -eu
root=$(cd "$(dirname "$0")/.." && pwd)
store=${POSTGRES:-}
[ -z "$store" ] || set -- "${@:-83171df 2b07c52 763a069 cbfef9b 4b75206 3a0e56c df85d31}"
commits=${*:-1ad46fe b8197d1 119d0b4 78683ac 4aac7db e37b729 e483b2f 08bcf1f 83171df c5e88f0 763a069 cbfef9b 3a0e56c df85d31}

for commit in $commits; do
  work=$(mktemp -d)
  echo "$commit: $work" >&2
  git -C "$root" archive "$commit" | tar -x -C "$work"
  # A commit that does not compile runs from its sources.
  (
    cd "$work"
    . scripts/setup.sh
  ) && set -- "$work/x" || set -- "$work/node_modules/.bin/node" --conditions=@x/source "$work/packages/cli/src/main.ts"
  mkdir "$work/made"
  cd "$work/made"
  export X_API_KEY=upgrade-fixture-key
  if [ -z "$store" ]; then
    "$@" serve --port 0 --data data --json-logs >log 2>errors &
  else
    psql --quiet "$store" --command 'DROP SCHEMA IF EXISTS fixture CASCADE'
    X_SECRET_KEY='a passphrase of the fixture' "$@" serve --port 0 --store "$store?schema=fixture" --json-logs >log 2>errors &
  fi
  service=$!
  "$root/node_modules/.bin/node" "$root/test/upgrade/fill.mjs" log expected.json
  kill -TERM "$service"
  wait "$service"
  if [ -n "$store" ]; then
    version=$(psql --tuples-only --no-align "$store" --command 'SELECT version FROM fixture.schema_version')
    pg_dump --schema=fixture --inserts --no-owner --no-privileges "$store" >data
    set -- "$root/test/upgrade/postgres" "$version"
  else
    set -- "$root/test/upgrade/data"
  fi
  "$root/node_modules/.bin/node" "$root/test/upgrade/pack.mjs" data expected.json "$commit" "$@"
  cd "$root"
  rm -rf "$work"
done
[ -z "$store" ] || psql --quiet "$store" --command 'DROP SCHEMA IF EXISTS fixture CASCADE'
