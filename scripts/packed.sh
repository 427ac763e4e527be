#!/bin/sh
# `npm run test:packed`: what a new user does with the packed packages, on the newest Node of each supported major version.
# Node comes from npm, as the packages that install it for a platform.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh
platform=$(node -p '`${process.platform}-${process.arch}`')
nodes=
for major in 22 24 26; do
  folder="$PWD/node_modules/.cache/nodes/$major"
  mkdir -p "$folder"
  npm install --prefix "$folder" --no-save --no-audit --no-fund --ignore-scripts "node-$platform@$major" >&2
  nodes="$nodes${nodes:+:}$folder/node_modules/node-$platform/bin"
done
export X_TEST_NODES="$nodes"
# The package managers that npm provides; of bun the program for this platform, without the package that downloads it.
managers="$PWD/node_modules/.cache/managers"
mkdir -p "$managers"
npm install --prefix "$managers" --no-save --no-audit --no-fund --ignore-scripts \
  pnpm@12 yarn@1 @yarnpkg/cli-dist@4 "@oven/bun-$platform@1" >&2
export X_TEST_MANAGERS="$managers"
exec vitest run test/packed "$@"
