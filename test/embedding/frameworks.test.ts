import { readFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

import { createRuntime, type Runtime } from "@x/runtime";
import { createApp } from "@x/server";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { frameworks, type Mounted, statusAfterInit } from "./frameworks.ts";

const code = `export default { name: "Echo", version: "1", props: { http: "$.interface.http" },
  run({ body, bodyRaw, headers, path, query, url }) { this.$emit({ body, bodyRaw, path, query, url, tag: headers["x-tag"] }) } }`;

let runtime: Runtime;
beforeAll(async () => {
  runtime = await createRuntime({ publicUrl: "https://shop.test/events" });
  await runtime.start();
});
afterAll(() => runtime.close());

const text = '{ "a" : "é" }';

async function post({ port }: Mounted, path: string, init: RequestInit = {}): Promise<[number, unknown]> {
  const headers = { "content-type": "application/json", "x-tag": "T", ...(init.headers as Record<string, string>) };
  const reply = await fetch(`http://127.0.0.1:${port}${path}`, { method: "POST", body: text, ...init, headers });
  return [reply.status, await reply.json().catch(() => undefined)];
}

/** The event of the newest run. */
async function newest(id: string): Promise<unknown> {
  await runtime.idle();
  const { items } = await runtime.storedEvents(id, "emits", { limit: 1 });
  return items.map(({ payload }) => JSON.parse(payload) as unknown)[0];
}

const read = [500, expect.objectContaining({ code: "body_already_read" })];
const answered = [200, expect.anything()];

describe.each(Object.entries(frameworks))("S41 %s", (name, mount) => {
  describe.each(["", "/events"])("below %j", (path) => {
    test.each(["unread", "read", "kept"] as const)("with a body that is %s", async (before) => {
      const app = createApp(runtime, { mountPath: path });
      const { source } = await runtime.deploy({ code });
      const mounted = await mount({ app, path, before });
      try {
        const key = source.endpoints["http"]?.split("/").at(-1) ?? "";
        const target = `/in/${key}/a/b?q=1&q2=%2F`;
        const isUsed = before === "read" && !name.includes("raw") && name !== "serverless-http";
        expect(await post(mounted, path + target)).toEqual(isUsed ? read : answered);
        expect(await newest(source.id)).toEqual(
          isUsed
            ? undefined
            : {
                body: { a: "é" },
                bodyRaw: text,
                path: "/a/b",
                query: { q: "1", q2: "/" },
                url: `https://shop.test/events${target}`,
                tag: "T",
              },
        );
        const packed = { body: gzipSync(text), headers: { "content-encoding": "gzip" } };
        // Some parsers refuse it themselves.
        expect(isUsed ? answered : await post(mounted, path + target, packed)).toEqual(answered);
        const got = await fetch(`http://127.0.0.1:${mounted.port}${path}/healthz`);
        expect([got.status, await got.json()]).toEqual([200, { ok: true }]);
      } finally {
        await mounted.close();
      }
    });
  });
});

test("Nest answers what is mounted after init() itself", async () => {
  expect(await statusAfterInit(createApp(runtime, { mountPath: "/events" }))).toBe(404);
});

test("other tests see Node's own globals", () => {
  expect([Request.name, Response.name]).toEqual(["Request", "Response"]);
  expect(Reflect.ownKeys(Reflect).filter((key) => String(key).includes("etadata"))).toEqual([]);
});

test("docs/embedding.md shows the lines that are tested here", () => {
  const read = (path: string): string => readFileSync(new URL(path, import.meta.url), "utf8");
  const plain = (text: string): string => text.replaceAll(/[\s"`]|;(?=\s*\})/g, "");
  const source = plain(read("./frameworks.ts").replaceAll("${path}", "/events").replaceAll('path || "/"', '"/events"'));
  const table = /^## Mounting\n([^]*?)^## /m.exec(read("../../docs/embedding.md"))?.[1] ?? "";
  const rows = table.split("\n").filter((line) => line.startsWith("| "));
  expect(rows.length).toBeGreaterThan(8);
  // Names of functions, such as `listen()`, are no lines.
  const lines = rows.flatMap((row) => [...row.matchAll(/`([^`]*(?:\((?!\))|\{)[^`]*)`/g)].map(([, code = ""]) => code));
  expect(lines.length).toBeGreaterThan(12);
  expect(lines.filter((line) => !source.includes(plain(line)))).toEqual([]);
});
