#!/bin/sh
# `npm run compatibility:survey [-- package…]`: installs every package that published components import (1.4 GB), loads each
# in the sandbox and in Node, and writes test/compatibility/survey/SURVEY.md. Exits with 1 when too few load.
# `-- --folder DIR`: those that the components of a folder import, in the ranges of its package.json files; prints the table.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh

folder=test/compatibility/survey
stamp=$folder/node_modules/.installed
wanted=$(cksum <"$folder/package-lock.json")
if [ "${1:-}" != --folder ] && [ "$(cat "$stamp" 2>/dev/null || :)" != "$wanted" ]; then
  echo "Installing the packages of $folder" >&2
  (cd "$folder" && npm ci --ignore-scripts --no-audit --no-fund >&2)
  echo "$wanted" >"$stamp"
fi
exec node --conditions=@x/source "$folder/main.ts" "$@"
