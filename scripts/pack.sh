#!/bin/sh
# Packs the packages as they are published: scripts/pack.sh FOLDER
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh
npx --yes --prefer-offline pnpm@12.21.0 --filter "./packages/*" pack --pack-destination "$1" >&2
