#!/bin/sh
# `npm run test:packed`: what a new user does with the packed packages, on the newest Node of each supported major version and with
# each package manager, the tutorial among it, and what x says where it does not run.
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
# What passes for Node, and Nodes that are too old.
libc=
if [ "$(uname)" = Linux ]; then libc=-glibc; fi
others="$PWD/node_modules/.cache/platforms"
mkdir -p "$others"
npm install --prefix "$others" --no-save --no-audit --no-fund --ignore-scripts "@deno/$platform$libc@2" \
  "node18@npm:node-$platform@18.20.8" "node20@npm:node-$platform@20.20.2" "node22@npm:node-$platform@22.0.0" >&2
others="$others/node_modules"
bun="$managers/node_modules/@oven/bun-$platform/bin/bun"
deno="$others/@deno/$platform$libc/deno"
X_TEST_PLATFORMS="Bun $("$bun" --version)=$bun:Deno $("$deno" eval 'console.log(Deno.version.deno)')=$deno run -A"
for folder in node18 node20 node22; do
  node="$others/$folder/bin/node"
  X_TEST_PLATFORMS="$X_TEST_PLATFORMS:Node $("$node" -p process.versions.node)=$node"
done
export X_TEST_PLATFORMS
exec vitest run test/packed test/platforms test/tutorial "$@"
