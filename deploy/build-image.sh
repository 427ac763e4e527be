#!/bin/sh
# Builds the image and tries it as compose.yaml runs it: deploy/build-image.sh [TAG]
set -eu
cd "$(dirname "$0")/.."
tag=${1:-x}
if ! docker info --format '{{.ServerVersion}}' >/dev/null 2>&1; then
  echo "error: no Docker engine answers; start one, or install x with npm (deploy/x.service)" >&2
  exit 4
fi
docker build --file deploy/Dockerfile --tag "$tag" .

name=x-trial-$$
trap 'docker rm --force --volumes "$name" >/dev/null 2>&1 || :' EXIT
docker run --detach --name "$name" --read-only --tmpfs /tmp --cap-drop ALL --security-opt no-new-privileges "$tag" >/dev/null
until [ "$(docker inspect --format '{{.State.Health.Status}}' "$name")" = healthy ]; do
  if [ "$(docker inspect --format '{{.State.Running}}' "$name")" != true ]; then
    docker logs "$name" >&2
    exit 1
  fi
  sleep 1
done
docker stop --time 20 "$name" >/dev/null
code=$(docker inspect --format '{{.State.ExitCode}}' "$name")
if [ "$code" != 0 ]; then
  echo "error: SIGTERM ended the service with $code instead of 0" >&2
  exit 1
fi
echo "$tag: built, healthy with a read-only root, and ends on SIGTERM"
