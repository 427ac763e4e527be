#!/bin/sh
# `npm start`: sets up, then serves the examples and shows the first event arriving.
set -eu
cd "$(dirname "$0")/.."
setup=start
. scripts/setup.sh
exec ./x demo "$@"
