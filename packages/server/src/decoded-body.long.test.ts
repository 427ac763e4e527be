import { once } from "node:events";
import { type IncomingMessage, request as httpRequest } from "node:http";
import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync, zstdCompressSync } from "node:zlib";

import { createRuntime, type Runtime } from "@x/runtime";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { testEngineWithin } from "../../runtime/src/engine.cases.ts";
import { createApp } from "./app.ts";
import { type Listening, listen } from "../../http/src/node.ts";

const limit = 100_000;
let runtime: Runtime;
let server: Listening;
let endpoint: string;
let sourceId: string;
beforeAll(async () => {
  runtime = await createRuntime({ engine: await testEngineWithin({ httpBodyBytes: limit }) });
  await runtime.start();
  const code = `export default { name: "Body", version: "1", props: { http: "$.interface.http" },
    run({ body, bodyRaw, headers }) { this.$emit({ body, bytes: bodyRaw.length, coding: headers["content-encoding"] }) } }`;
  const { source } = await runtime.deploy({ code });
  sourceId = source.id;
  server = await listen(createApp(runtime, { bodyBytes: limit }));
  endpoint = server.url + new URL(source.endpoints["http"] ?? "").pathname;
});
afterAll(async () => {
  await server.close();
  await runtime.close();
});

async function post(
  url: string,
  coding: string,
  body: Buffer,
  headers = {},
): Promise<{ status: number; text: string }> {
  const sent = httpRequest(url, {
    method: "POST",
    headers: { "content-type": "application/json", "content-encoding": coding, ...headers },
  });
  sent.end(body);
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  return { status: response.statusCode ?? 0, text: Buffer.concat(await response.toArray()).toString() };
}

const payload = { a: "ä😀", list: [1, 2] };
const json = Buffer.from(JSON.stringify(payload));
const same = (body: Buffer): Buffer => body;
const codings: readonly (readonly [string, (body: Buffer) => Buffer])[] = [
  ["gzip", gzipSync],
  ["GZIP", gzipSync],
  ["x-gzip", gzipSync],
  ["deflate", deflateSync],
  ["deflate", deflateRawSync],
  ["br", brotliCompressSync],
  ["zstd", zstdCompressSync],
  ["identity", same],
  ["", same],
  ["gzip, br", (body) => brotliCompressSync(gzipSync(body))],
];

describe("S46 a compressed body", () => {
  test.each(codings)("in %j is decoded at an endpoint, and its headers are as received", async (coding, encode) => {
    expect((await post(endpoint, coding, encode(json))).status).toBe(200);
    await runtime.idle();
    const [event] = (await runtime.storedEvents(sourceId, "emits", { limit: 1 })).items;
    expect(JSON.parse(event?.payload ?? "")).toEqual({ body: payload, bytes: json.toString().length, coding });
  });

  test.each(codings)("in %j is decoded at the REST interface", async (coding, encode) => {
    const { apiKey } = (await runtime.user()).user;
    const body = encode(Buffer.from(JSON.stringify({ component_code: "export default 5" })));
    const answer = await post(`${server.url}/v1/sources`, coding, body, { authorization: `Bearer ${apiKey}` });
    expect(JSON.parse(answer.text)).toMatchObject({ code: "invalid_component" });
  });

  test.each(codings)("in %j counts with its decoded bytes", async (coding, encode) => {
    expect((await post(endpoint, coding, encode(Buffer.alloc(limit, "x")))).status).toBe(200);
    expect((await post(endpoint, coding, encode(Buffer.alloc(limit + 1, "x")))).status).toBe(413);
  });

  test.each(codings.filter(([, encode]) => encode !== same))("of 60 MB in %j is 413", async (coding, encode) => {
    expect((await post(endpoint, coding, encode(Buffer.alloc(60_000_000)))).status).toBe(413);
  });

  test.each(["compress", "gzip, compress", "constructor", "gzip, gzip, gzip"])("in %j is 415", async (coding) => {
    const { status, text } = await post(endpoint, coding, json);
    expect([status, JSON.parse(text)]).toMatchObject([415, { code: "unsupported_media_type" }]);
    expect(text).toContain("gzip, deflate, br or zstd");
  });

  test.each(["gzip", "deflate", "br", "zstd"])("that is not %s, or is cut short, is 400", async (coding) => {
    const whole = codings.find(([name]) => name === coding)?.[1](json) ?? json;
    for (const body of [json, whole.subarray(0, -6)]) {
      const { status, text } = await post(endpoint, coding, body);
      expect([status, JSON.parse(text)]).toMatchObject([400, { code: "malformed_request" }]);
      expect(text).toContain(`its body is not ${coding}`);
    }
  });
});
