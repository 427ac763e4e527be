import { createRequire } from "node:module";

import { expect, test } from "vitest";

import { runBody, tryComponent } from "../../sandbox.cases.ts";
import { tryBuiltins } from "../builtins.cases.ts";
import names from "../node/node-names.json" with { type: "json" };
import { withoutWarnings } from "../node-warnings.cases.ts";

const { sameAsNode, ran, sandbox } = tryBuiltins();

test("node:timers behaves as in Node", async () => {
  await sameAsNode([
    `const timers = require("timers"); return [timers.setTimeout === setTimeout, timers.clearImmediate === clearImmediate, timers.promises === require("timers/promises")]`,
    `const { setTimeout: wait, setImmediate: soon, setInterval: every, scheduler } = require("timers/promises"); const seen = [await wait(1, "a"), await soon("b"), await scheduler.wait(1)]; for await (const value of every(1, "c")) { seen.push(value); if (seen.length > 4) break; } return seen`,
    `const { setTimeout: wait } = require("timers/promises"); const stop = new AbortController(); setTimeout(() => stop.abort(), 1); return await wait(5_000, "x", { signal: stop.signal }).catch((error) => [error.name, error.code])`,
    `return await new Promise((go) => setImmediate((a, b) => go([a, b]), 1, 2))`,
    `const timer = setImmediate(() => {}); clearImmediate(timer); return typeof timer.hasRef`,
  ]);
});

test("process has the members of Node's and nothing of the host", async () => {
  process.env["BUILTINS_TEST_SECRET"] = "host";
  const { emitted } = await ran(`
    const required = require("process");
    return { same: required === process, imported: (await import("node:process")).default === process,
      env: process.env, tag: Object.prototype.toString.call(process), text: [process.platform, process.cwd(), process.argv.length, process.pid],
      version: [/^v\\d+\\.\\d+\\.\\d+$/.test(process.version), process.version === "v" + process.versions.node],
      memory: typeof process.memoryUsage().heapUsed, on: process.on("exit", () => {}) === process, emit: process.emit("x"), global: global.process === globalThis.process,
      exit: (() => { try { process.exit(1) } catch (error) { return error.message } })() };`);
  delete process.env["BUILTINS_TEST_SECRET"];
  expect(emitted).toEqual({
    same: true,
    imported: true,
    env: {},
    tag: "[object process]",
    text: ["linux", "/tmp", 2, 1],
    version: [true, true],
    memory: "number",
    on: true,
    emit: false,
    global: true,
    exit: "process.exit is not available to components",
  });
});

test("process measures time, queues jobs and writes lines as in Node", async () => {
  await sameAsNode([
    `const [seconds, nanos] = process.hrtime(); const [s, n] = process.hrtime([seconds, nanos]); return [Number.isInteger(seconds), nanos < 1e9, s * 1e9 + n >= 0, typeof process.hrtime.bigint(), process.uptime() >= 0]`,
    `return await new Promise((go) => process.nextTick((...args) => go(args), 1, "b"))`,
    `const seen = []; process.nextTick(() => seen.push(2)); seen.push(1); await new Promise((go) => setTimeout(go, 1)); return seen`,
    `process.nextTick(5)`,
  ]);
  const { logs } = await ran(
    `process.stdout.write("one "); process.stdout.write("line\\nand another\\n"); process.stderr.write("bad\\n"); process.emitWarning("careful"); return 1`,
  );
  expect(logs).toEqual(["log: one line", "log: and another", "error: bad", "warn: careful"]);
});

test("an error in a job of nextTick fails the run", async () => {
  const { outcome } = await tryComponent(
    sandbox(),
    runBody(`process.nextTick(() => { throw new RangeError("late") }); await new Promise(() => {})`),
  );
  expect(outcome.error).toMatchObject({ name: "RangeError", message: "late" });
});

test("node:os describes a machine without a host name, user or network", async () => {
  await sameAsNode([
    `const os = require("os"); return [os.EOL, os.platform(), os.type(), os.tmpdir(), os.endianness(), os.constants.signals.SIGTERM, os.constants.errno.ENOENT, os.devNull]`,
    `require("constants").SIGKILL`,
  ]);
  const { emitted } = await ran(`
    const os = require("os");
    return [os.hostname(), os.userInfo().username, os.networkInterfaces(), os.cpus().length, os.totalmem(), os.homedir(), os.release()];`);
  expect(emitted).toEqual(["localhost", "component", {}, 1, 0, "/tmp", "0.0.0"]);
});

test("the small modules behave as in Node", async () => {
  await sameAsNode([
    `const net = require("net"); return ["1.2.3.4", "::1", "1.2.3", "fe80::1%eth0", "", "::ffff:1.2.3.4", "1.2.3.04"].map((ip) => [net.isIP(ip), net.isIPv4(ip), net.isIPv6(ip)])`,
    `const net = require("net"); const before = net.getDefaultAutoSelectFamilyAttemptTimeout(); net.setDefaultAutoSelectFamilyAttemptTimeout(3); const least = net.getDefaultAutoSelectFamilyAttemptTimeout(); net.setDefaultAutoSelectFamilyAttemptTimeout(before); return [before, least]`,
    `require("net").setDefaultAutoSelectFamilyAttemptTimeout("5")`,
    `const vm = require("vm"); globalThis.seenByScript = 2; return [new vm.Script("seenByScript + 1").runInThisContext(), vm.runInThisContext("typeof require"), vm.createScript("5") instanceof vm.Script, vm.compileFunction("return a + 1", ["a"])(1), vm.isContext({}), delete globalThis.seenByScript]`,
    `new (require("vm").Script)("not code")`,
    `require("vm").isContext(5)`,
    `const { channel, tracingChannel } = require("diagnostics_channel"); const a = channel("a"); const seen = []; const before = a.hasSubscribers; a.subscribe((message, name) => seen.push([message, name])); a.publish(1); return [before, a.hasSubscribers, channel("a") === a, seen, tracingChannel("t").traceSync((x) => x + 1, {}, null, 1)]`,
    `const { performance, PerformanceObserver } = require("perf_hooks"); return [typeof performance.now(), typeof PerformanceObserver, typeof performance.mark("x").startTime]`,
    `const { isMainThread, parentPort, threadId } = require("worker_threads"); return [parentPort, threadId]`,
    `require("tty").isatty(5)`,
    `const { createRequire, isBuiltin, builtinModules } = require("module"); return [typeof createRequire("/x/y.js"), isBuiltin("node:fs"), isBuiltin("fs"), isBuiltin("axios"), builtinModules.includes("stream/promises")]`,
    `const { constants } = require("http2"); return [constants.HTTP2_HEADER_STATUS, constants.NGHTTP2_CANCEL]`,
    `require("dns").NOTFOUND`,
    `const { TransformStream, ReadableStream } = require("stream/web"); return [ReadableStream === globalThis.ReadableStream, typeof TransformStream]`,
  ]);
});

test("node:async_hooks keeps a store for one run at a time", async () => {
  await sameAsNode([
    `const { AsyncLocalStorage } = require("async_hooks"); const s = new AsyncLocalStorage(); return [s.getStore(), s.run(1, () => [s.getStore(), s.run(2, () => s.getStore()), s.getStore()]), s.getStore()]`,
    `const { AsyncLocalStorage } = require("async_hooks"); const s = new AsyncLocalStorage(); const inside = await s.run({ id: 1 }, async () => { await null; await new Promise((go) => setTimeout(go, 1)); return s.getStore() }); return [inside, s.getStore()]`,
    `const { AsyncLocalStorage } = require("async_hooks"); const s = new AsyncLocalStorage(); return s.run(1, () => [s.exit(() => s.getStore()), s.getStore()])`,
    `const { AsyncLocalStorage } = require("async_hooks"); const s = new AsyncLocalStorage(); const bound = s.run(5, () => AsyncLocalStorage.bind(() => s.getStore())); return [bound(), s.run(6, bound)]`,
    `const { AsyncLocalStorage } = require("async_hooks"); const s = new AsyncLocalStorage(); try { s.run(1, () => { throw new Error("x") }) } catch {} return s.getStore()`,
    `const { AsyncLocalStorage, AsyncResource } = require("async_hooks"); const s = new AsyncLocalStorage(); const r = s.run(3, () => new AsyncResource("mine")); return [r.runInAsyncScope((a) => [a, s.getStore()], null, 9), typeof r.asyncId(), r.emitDestroy() === r]`,
    // Not enabled: in Node a hook lasts for the whole process, and code that is stopped later would corrupt it.
    `const hooks = require("async_hooks"); const hook = hooks.createHook({}); return [typeof hook.enable, typeof hook.disable, typeof hooks.executionAsyncId()]`,
  ]);
});

const absent = ["child_process", "cluster", "dgram", "inspector", "net", "readline", "repl", "tls", "vm", "wasi"];

test.each(absent)(
  "node:%s loads, its classes can be extended, and its functions throw an error that names them",
  async (name) => {
    const functions = names[name as "net"].functions
      .split(" ")
      .filter((each) => !/^(?:is|get|set)|^(?:Socket|Stream|TLSSocket)$/.test(each))
      .filter((each) => name !== "vm" || /^(?:createContext|measureMemory|runIn(?:New)?Context)$/.test(each));
    const { emitted } = await ran(`
    const all = require("${name}");
    const used = [];
    for (const each of ${JSON.stringify(functions)}) {
      class Mine extends all[each] {}
      function Old() {}
      require("util").inherits(Old, all[each]);
      try { all[each](); } catch (error) { used.push(error.code === "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM" && error.message.startsWith("${name}." + each + " is not available to components")); }
      try { new Mine(); } catch (error) { used.push(error.code === "ERR_FEATURE_UNAVAILABLE_ON_PLATFORM"); }
    }
    return used;`);
    expect(emitted).toEqual(functions.flatMap(() => [true, true]));
    expect(functions.length).toBeGreaterThan(0);
  },
);

test("a built-in has every name that Node's own has", async () => {
  const nodes = createRequire(import.meta.url);
  const listed = Object.entries(names).filter(([name]) => !["crypto", "zlib"].includes(name));
  for (const [name, { functions }] of listed) {
    const own = await withoutWarnings(() => nodes(`node:${name}`) as Record<string, unknown>);
    const strangers = functions.split(" ").filter((each) => each !== "" && typeof own[each] !== "function");
    expect([name, strangers]).toEqual([name, []]);
  }
  const { emitted } = await ran(`
    const all = { ${listed.map(([name]) => `${JSON.stringify(name)}: require("${name}")`).join(", ")} };
    const names = ${JSON.stringify(Object.fromEntries(listed.map(([name, { functions }]) => [name, functions])))};
    return Object.entries(names).flatMap(([name, functions]) => functions.split(" ").filter((each) => each !== "" && typeof all[name][each] !== "function").map((each) => name + "." + each));`);
  expect(emitted).toEqual([]);
});
