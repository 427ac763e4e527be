import { afterAll, beforeAll, expect, test } from "vitest";

import type { Sandbox } from "../contract.ts";
import { openSandbox } from "../sandbox.cases.ts";
import { compare } from "./differential.cases.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = await openSandbox();
});
afterAll(() => sandbox.close());

test("Headers behaves as in Node", async () => {
  const { guest, node } = await compare(sandbox, [
    `[...new Headers({ B: "2", a: "1" })]`,
    `[...new Headers([["a", "1"], ["A", "2"]])]`,
    `[...new Headers(new Headers({ a: "1" }))]`,
    `[...new Headers(new Map([["x", "y"]]))]`,
    `[...new Headers()]`,
    `[...new Headers(undefined)]`,
    `new Headers(null)`,
    `new Headers("text")`,
    `new Headers(12)`,
    `new Headers([["a"]])`,
    `new Headers([["a", "b", "c"]])`,
    `new Headers({ a: 1, b: null, c: undefined }).get("c")`,
    `new Headers({ a: ["x", "y"] }).get("a")`,
    `new Headers({ "": "x" })`,
    `new Headers({ "a b": "x" })`,
    `new Headers({ "é": "x" })`,
    `new Headers({ a: "x\\ny" })`,
    `new Headers({ a: "x\\0y" })`,
    `new Headers({ a: "€" })`,
    `new Headers({ a: "é" }).get("a")`,
    `new Headers({ a: "  x y\\t" }).get("A")`,
    `new Headers({ a: "\\r\\nx\\r\\n" }).get("a")`,
    `new Headers({ a: "" }).get("a")`,
    `new Headers().get("a")`,
    `new Headers().get("a b")`,
    `new Headers({ a: "1" }).has("A")`,
    `const headers = new Headers({ a: "1" }); headers.append("A", "2"); headers.append("b", "3"); return [...headers]`,
    `const headers = new Headers({ a: "1" }); headers.append("a", "2"); headers.set("A", "4"); return [...headers]`,
    `const headers = new Headers({ a: "1", b: "2" }); headers.delete("A"); headers.delete("none"); return [...headers.keys()]`,
    `const headers = new Headers(); headers.append("set-cookie", "a=1"); headers.append("Set-Cookie", "b=2"); return [headers.getSetCookie(), headers.get("set-cookie"), [...headers]]`,
    `const headers = new Headers({ "set-cookie": "a=1" }); const copy = new Headers(headers); copy.append("set-cookie", "b=2"); return [headers.getSetCookie(), copy.getSetCookie()]`,
    `new Headers().getSetCookie()`,
    `const seen = []; new Headers({ b: "2", a: "1" }).forEach((value, name, all) => seen.push([name, value, all instanceof Headers])); return seen`,
    `[[...new Headers({ b: "2", a: "1" }).values()], [...new Headers({ b: "2" }).entries()]]`,
    `Object.prototype.toString.call(new Headers())`,
    `Object.fromEntries(new Headers({ A: "1" }))`,
    `Object.keys(new Headers({ a: "1" }))`,
    `JSON.stringify(new Headers({ a: "1" }))`,
    ...["append", "set", "get", "has", "delete", "forEach"].map((name) => `new Headers({ a: "1" }).${name}()`),
    `new Headers().append("a")`,
  ]);
  expect(guest).toEqual(node);
});
