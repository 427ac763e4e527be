import { build } from "esbuild";

import type { Sandbox } from "../../packages/sandbox/src/contract.ts";
import { type Report, runBoth } from "./report.ts";

/** The part of a test runner that the tests use. */
const runner = `
  const failed = [];
  const all = [];
  let group = "";
  const describe = (name, define) => { const outer = group; group += name + " "; define(); group = outer; };
  const it = (name, run) => all.push({ name: group + name, run });
  const same = (one, other) => JSON.stringify(one) === JSON.stringify(other);
  const check = (ok) => { if (!ok) throw new Error("failed"); };
  const throws = (run, wanted) => {
    try { run(); } catch (error) { return wanted instanceof Error ? error.name === wanted.name : error instanceof wanted; }
    return false;
  };
  const matchers = (value, is) => ({
    toBe: (wanted) => check(is === Object.is(value, wanted)),
    toEqual: (wanted) => check(is === same(value, wanted)),
    toBeUndefined: () => check(is === (value === undefined)),
    toBeNull: () => check(is === (value === null)),
    toBeInstanceOf: (type) => check(is === value instanceof type),
    toThrow: (wanted) => check(is === throws(value, wanted)),
  });
  const expect = (value) => ({ ...matchers(value, true), not: matchers(value, false) });
  const window = globalThis;`;

/** The tests of headers-polyfill, run on the Headers of the realm. */
export async function compareHeaders(sandbox: Sandbox, modules: string): Promise<Report> {
  const { outputFiles } = await build({
    entryPoints: [`${modules}headers-polyfill/src/Headers.test.ts`],
    bundle: true,
    write: false,
    format: "iife",
    target: "es2022",
    plugins: [
      {
        name: "own-headers",
        setup(esbuild) {
          esbuild.onResolve({ filter: /^\.\/Headers$/ }, ({ path }) => ({ path, namespace: "own" }));
          esbuild.onLoad({ filter: /.*/, namespace: "own" }, () => ({
            contents: "export const { Headers } = globalThis;",
          }));
        },
      },
    ],
  });
  const { guest, node } = await runBoth<{ total: number; failed: string[] }>(
    sandbox,
    `${runner}
    ${outputFiles[0]?.text ?? ""}
    for (const { name, run } of all) try { await run(); } catch { failed.push(name); }
    return { total: all.length, failed };`,
  );
  return { name: "Headers, headers-polyfill", total: guest.total, guest: guest.failed, node: node.failed };
}
