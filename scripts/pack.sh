#!/bin/sh
# Packs the packages as they are published: scripts/pack.sh FOLDER
# Their repository is X_REPOSITORY, or else where this clone comes from.
set -eu
cd "$(dirname "$0")/.."
. scripts/setup.sh
npx --yes --prefer-offline pnpm@12.21.0 --config.pnpmfile=scripts/published-manifest.mjs --filter "./packages/*" --filter "!@x/model" --filter "!@x/store" --filter "!@x/components" --filter "!@x/accounts" --filter "!@x/http" --filter "!@x/resources" pack --pack-destination "$1" >&2
