#!/bin/sh
# `npm run test:keyv`: the releases of @keyv/sqlite and keyv that npm calls latest, with the native module that they bring. It
# is compiled with the headers of the workspace's Node; needs a compiler for C++ and Python.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh
folder="$PWD/node_modules/.cache/keyv"
mkdir -p "$folder"
headers=$(dirname "$(dirname "$(node -p 'process.execPath')")")
quiet="--no-audit --no-fund"
peer=$(npm view @keyv/sqlite@latest peerDependencies.keyv)
npm install --prefix "$folder" --ignore-scripts $quiet @keyv/sqlite@latest "keyv@$peer" >&2
npm_config_nodedir="$headers" npm_config_build_from_source=true npm rebuild --prefix "$folder" sqlite3 >&2
X_TEST_KEYV="$folder" exec vitest run test/keyv "$@"
