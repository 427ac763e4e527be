import { createServer } from "node:http";
import type { AddressInfo } from "node:net";

import { afterEach, describe, expect, test } from "vitest";

import type { Poster } from "../webhooks/contract.ts";
import type { NetworkOptions } from "../api/options.ts";
import type { Lookup } from "./lookup.ts";
import { createPoster } from "./poster.ts";

const limits = { deliveryTimeoutMs: 2_000, deliveryResponseBytes: 1_024, deliverySockets: 4 };
const never = new AbortController().signal;
const cleanups: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).toReversed()) await cleanup();
});

function open(options: NetworkOptions = {}, lookup?: Lookup): Poster {
  const poster = createPoster(options, limits, lookup ? { lookup } : {});
  cleanups.push(() => poster.close());
  return poster;
}

async function serve(): Promise<{ port: number; seen: string[] }> {
  const seen: string[] = [];
  const server = createServer((request, response) => {
    seen.push(`${request.method} ${request.headers.host} ${request.url} ${request.headers.authorization}`);
    response.end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, "127.0.0.1", resolve);
  });
  cleanups.unshift(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => {
      server.close(resolve);
    });
  });
  return { port: (server.address() as AddressInfo).port, seen };
}

describe("the sender of webhooks", () => {
  test.each([
    ["http://127.0.0.1/", undefined],
    ["http://localhost:8080/", undefined],
    ["http://[::1]/", undefined],
    ["http://[::ffff:127.0.0.1]/", undefined],
    ["http://example.test/", undefined],
    ["http://10.1.2.3/", "private addresses are denied"],
    ["http://169.254.169.254/", "linkLocal addresses are denied"],
    ["http://0.0.0.0/", "unspecified addresses are denied"],
    ["http://[fd00::1]/", "uniqueLocal addresses are denied"],
  ])("3.8 by default %s: %s", (url, rule) => {
    expect(open().forbidden(url)).toBe(rule);
  });

  test("3.8 allow-private allows private ranges; deny and allow lists apply, also to loopback", () => {
    expect(open({ mode: "allow-private" }).forbidden("http://10.1.2.3/")).toBeUndefined();
    expect(open({ deny: ["127.0.0.0/8"] }).forbidden("http://127.0.0.1/")).toBe("it is on the deny list");
    expect(open({ allow: ["example.test"] }).forbidden("http://127.0.0.1/")).toBe("it is not on the allow list");
    expect(open({ mode: "none" }).forbidden("http://127.0.0.1/")).toBe("the network is off");
  });

  test("a name with a private address is refused at its lookup", async () => {
    const poster = open({}, () => Promise.resolve([{ address: "10.1.2.3", family: 4 }]));
    const post = poster.post({ url: "http://inside.test/", headers: [], body: "1" }, never);
    await expect(post).rejects.toMatchObject({ code: "address_forbidden" });
  });

  test("S7 upstream does not apply; credentials of the URL become a header", async () => {
    const { port, seen } = await serve();
    const poster = open({ upstream: "http://127.0.0.1:9" }, () =>
      Promise.resolve([{ address: "127.0.0.1", family: 4 }]),
    );
    const url = `http://user:pass@hook.test:${port}/a?b=1`;
    expect(await poster.post({ url, headers: [], body: "1" }, never)).toMatchObject({ status: 200 });
    expect(seen).toEqual([`POST hook.test:${port} /a?b=1 Basic ${Buffer.from("user:pass").toString("base64")}`]);
  });

  test("a cancelled exchange rejects, before it begins and while it waits", async () => {
    const { port } = await serve();
    const poster = open();
    const url = `http://127.0.0.1:${port}/`;
    const before = poster.post({ url, headers: [], body: "1" }, AbortSignal.abort());
    await expect(before).rejects.toMatchObject({ code: "network_failed" });
    const ending = new AbortController();
    const meanwhile = poster.post({ url, headers: [], body: "1" }, ending.signal);
    ending.abort();
    await expect(meanwhile).rejects.toThrow("cancelled");
  });
});
