import { unavailable } from "../node/unavailable.ts";

const builtinModules = (
  "assert assert/strict async_hooks buffer child_process cluster console constants crypto dgram diagnostics_channel dns " +
  "dns/promises domain events fs fs/promises http http2 https inspector module net os path path/posix perf_hooks process " +
  "punycode querystring readline readline/promises repl stream stream/consumers stream/promises stream/web " +
  "string_decoder sys timers timers/promises tls trace_events tty url util util/types v8 vm wasi worker_threads zlib"
).split(" ");
const plainName = (name: string): string => name.replace(/^node:/, "");

function Module(): void {}

/** `createRequire` works, because packages call it when they load; the function that it returns throws. */
const createRequire = (): unknown =>
  Object.assign(unavailable("a require made by module.createRequire"), {
    resolve: unavailable("require.resolve"),
    cache: {},
    extensions: {},
  });

export default Object.assign(Module, {
  Module,
  builtinModules,
  createRequire,
  isBuiltin: (name: string) => builtinModules.includes(plainName(name)),
});
