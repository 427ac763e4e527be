#!/bin/sh
# `npm run release`: builds and packs the packages, checks the packed files, tries them on each supported Node with each package
# manager (after publishing them to a registry on loopback), and writes the notes. With --publish it then publishes what it has
# checked, with provenance, which npm makes in CI alone.
set -eu
cd "$(dirname "$0")/.."
case ${1:-} in
  "" | --publish) ;;
  *)
    echo "usage: npm run release [-- --publish]" >&2
    exit 2
    ;;
esac
folder=$PWD/.tmp/release
rm -rf "$folder"
mkdir -p "$folder"
sh scripts/pack.sh "$folder/tarballs"
export X_TEST_TARBALLS="$folder/tarballs"
PATH="$PWD/node_modules/.bin:$PATH"
vitest run test/package.long.test.ts test/licenses.test.ts
sh scripts/packed.sh
node scripts/release-notes.mjs "$folder/tarballs" >"$folder/NOTES.md"
echo "Packages and notes: $folder"
if [ "${1:-}" = --publish ]; then exec node scripts/publish.mjs "$folder/tarballs" --provenance; fi
