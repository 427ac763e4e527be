# Prepares a clone: installs dependencies, including the workspace's own Node, then builds. Sourced in the root folder by scripts
# with `setup=start`, which is what serving needs, or without, which is everything. Needs only Node >= 20 and npm.

# A shell that waits for a foreground command dies at a signal without forwarding it, and npx does not forward it to its
# child either: each step runs in the background, in its own process group, which is stopped as a whole.
own_group=
if command -v setsid >/dev/null 2>&1; then own_group=setsid; fi
step_pid=
stop() {
  trap - HUP INT TERM
  if [ -n "$step_pid" ]; then
    kill -s TERM "$step_pid" 2>/dev/null || :
    if [ -n "$own_group" ]; then kill -s TERM -- "-$step_pid" 2>/dev/null || :; fi
    wait "$step_pid" 2>/dev/null || :
  fi
  exit "$1"
}
step() {
  $own_group "$@" >&2 &
  step_pid=$!
  wait "$step_pid"
  step_pid=
}
trap 'stop 129' HUP
trap 'stop 130' INT
trap 'stop 143' TERM

stamp=node_modules/.setup
wanted=$(cat pnpm-lock.yaml pnpm-workspace.yaml | cksum)
filter=
if [ "${setup:-}" = start ]; then filter="--filter=@x/cli... --filter=./examples/*"; fi
case "$(cat "$stamp" 2>/dev/null || :)" in
  "$wanted" | "$wanted $filter") ;;
  *)
    echo "Installing dependencies" >&2
    rm -f "$stamp"
    # Without a terminal, pnpm refuses to replace a node_modules that it did not create. The policies for new releases were
    # applied when the lock file was made; asking the registry about each package again would take longer than installing them.
    # shellcheck disable=SC2086
    step npx --yes --prefer-offline pnpm@12.21.0 install --frozen-lockfile --trust-lockfile --config.confirmModulesPurge=false $filter
    echo "$wanted${filter:+ $filter}" >"$stamp"
    ;;
esac

PATH="$PWD/node_modules/.bin:$PATH"
export PATH
if [ "${setup:-}" = start ]; then step node scripts/bundle.mjs; else step npm run --silent build; fi
trap - HUP INT TERM
