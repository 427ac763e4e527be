import { afterAll, beforeAll, expect, it } from "vitest";

import type { CallHost, GuestReply, Sandbox } from "./contract.ts";
import { openOwnSandbox, tryComponent } from "./sandbox.cases.ts";

let sandbox: Sandbox;
beforeAll(async () => {
  sandbox = openOwnSandbox();
});
afterAll(() => sandbox.close());

const mb = 1024 * 1024;
const component = (body: string): string => `module.exports = { async run() { ${body} } }`;
const reply = (body: Uint8Array): GuestReply => ({
  url: "http://a.test/",
  status: 200,
  statusText: "",
  headers: [],
  body,
  redirected: false,
});

it("bodies of aborted requests count until the host has released them", async () => {
  let [asked, bytes] = [0, 0];
  // Like a request that is still being sent when it is aborted.
  const fetch: CallHost["fetch"] = ({ body }) => {
    asked += 1;
    bytes += body?.byteLength ?? 0;
    return new Promise(() => undefined);
  };
  const code = component(`
    const errors = {};
    const body = new Uint8Array(${mb});
    for (let i = 0; i < 200; i++) {
      const gone = new AbortController();
      const sent = fetch("http://a.test/", { method: "POST", body, signal: gone.signal });
      gone.abort();
      await sent.catch((error) => { errors[error.name] = (errors[error.name] ?? 0) + 1 });
    }
    const { cause } = await fetch("http://a.test/", { method: "POST", body }).catch((error) => error);
    this.$emit({ errors, code: cause.code, message: cause.message });
  `);
  const { outcome, emits } = await tryComponent(sandbox, code, { fetch });
  expect(outcome.error).toBeUndefined();
  expect(emits.map(({ payload }) => JSON.parse(payload) as unknown)).toEqual([
    {
      errors: { AbortError: 200 },
      code: "requests_too_large",
      message: `The running requests hold more than ${64 * mb} bytes; await some of them before the next.`,
    },
  ]);
  expect([asked, bytes <= 64 * mb]).toEqual([63, true]);
});

it("aborted requests count towards the limit of requests at once", async () => {
  let asked = 0;
  const fetch: CallHost["fetch"] = () => {
    asked += 1;
    return new Promise(() => undefined);
  };
  const code = component(`for (let i = 0; i < 1000; i++) {
    const gone = new AbortController();
    const sent = fetch("http://a.test/", { signal: gone.signal });
    gone.abort();
    await sent.catch(() => undefined);
  }`);
  expect((await tryComponent(sandbox, code, { fetch })).outcome.status).toBe("ok");
  expect(asked).toBe(100);
});

it("replies wait until the component has the earlier ones, and all arrive", async () => {
  let [asked, waits] = [0, 0];
  const all = Promise.withResolvers<void>();
  const size = 2 * mb;
  const fetch: CallHost["fetch"] = async (_request, _signal, hold) => {
    asked += 1;
    if (asked === 10) all.resolve();
    await all.promise;
    for (let at = 0; at < size; at += mb) {
      const wait = hold?.(mb);
      if (wait) waits += 1;
      await wait;
    }
    return reply(new Uint8Array(size));
  };
  const code = component(`
    const sizes = await Promise.all(Array.from({ length: 10 }, async () => (await (await fetch("http://a.test/")).arrayBuffer()).byteLength));
    this.$emit(sizes.reduce((sum, each) => sum + each, 0));
  `);
  const small = openOwnSandbox({ fetchBytesInFlight: 8 * mb });
  const { outcome, emits } = await tryComponent(small, code, { fetch, memoryBytes: 256 * mb });
  await small.close();
  expect(outcome.error).toBeUndefined();
  expect(emits.map(({ payload }) => payload)).toEqual([String(20 * mb)]);
  expect(waits).toBeGreaterThan(0);
});
