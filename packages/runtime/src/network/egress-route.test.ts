import type { RequestListener } from "node:http";

import { describe, expect, it } from "vitest";

import type { Lookup } from "./lookup.ts";
import { createEgress } from "./egress.ts";
import { bytes, echo, get, headersOf, loopback, never, smallLimits, text } from "./loopback.cases.ts";
import type { Echo } from "./loopback.cases.ts";

const { serve, egress } = loopback();

describe("redirects", () => {
  /** Redirects `/<status>/<rest>` to the URL in the query. */
  const redirector: RequestListener = (request, response) => {
    const url = new URL(request.url ?? "/", "http://x");
    const status = /^\/(\d{3})$/.exec(url.pathname)?.[1];
    if (!status) return echo(request, response);
    response.writeHead(Number(status), { location: url.searchParams.get("to") ?? "/end" }).end("moved");
  };

  it("follow the rules for method and body of each status", async () => {
    const origin = await serve(redirector);
    const client = egress();
    const follow = async (status: number, method: string): Promise<string> => {
      const request = get(`${origin}/${status}?to=/end%3Fx`, {
        method,
        body: method === "GET" ? undefined : bytes("data"),
        headers: [
          ["content-type", "text/plain"],
          ["authorization", "Bearer token"],
        ],
      });
      const reply = await client.fetch(request, never);
      expect(reply).toMatchObject({ redirected: true, url: `${origin}/end?x` });
      const seen = JSON.parse(text(reply)) as Echo;
      expect(seen.headers["authorization"]).toBe("Bearer token");
      return [seen.method, seen.body, seen.headers["content-type"] ?? ""].join(" ");
    };
    for (const status of [301, 302, 303]) expect(await follow(status, "POST")).toBe("GET  ");
    for (const status of [307, 308]) expect(await follow(status, "POST")).toBe("POST data text/plain");
    for (const status of [301, 302, 307, 308]) expect(await follow(status, "PUT")).toBe("PUT data text/plain");
    expect(await follow(303, "PUT")).toBe("GET  ");
    expect(await follow(301, "GET")).toBe("GET  text/plain");
  });

  it("leave authorization and cookie behind at another origin", async () => {
    const there = await serve(echo);
    const origin = await serve(redirector);
    const reply = await egress().fetch(
      get(`${origin}/307?to=${encodeURIComponent(there.replace("//", "//user:pass@"))}`, {
        headers: [
          ["Authorization", "Bearer token"],
          ["Cookie", "a=1"],
          ["X-Kept", "1"],
        ],
      }),
      never,
    );
    const { headers } = JSON.parse(text(reply)) as Echo;
    expect(headers["x-kept"]).toBe("1");
    expect(headers).not.toHaveProperty("authorization");
    expect(headers).not.toHaveProperty("cookie");
  });

  it("are returned with `manual`, and fail with `error`", async () => {
    const origin = await serve(redirector);
    const client = egress();
    const reply = await client.fetch(get(`${origin}/302`, { redirect: "manual" }), never);
    expect([reply.status, reply.redirected, headersOf(reply)["location"], text(reply)]).toEqual([
      302,
      false,
      "/end",
      "moved",
    ]);
    await expect(client.fetch(get(`${origin}/302`, { redirect: "error" }), never)).rejects.toThrow(
      "answered with a redirect",
    );
  });

  it("end after 20", async () => {
    let seen = 0;
    const origin = await serve((_, response) => {
      seen++;
      response.writeHead(302, { location: "/again" }).end();
    });
    await expect(egress().fetch(get(origin), never)).rejects.toThrow("more than 20 redirects");
    expect(seen).toBe(21);
  });

  it("are checked again: they fail for a forbidden address or protocol and without a location", async () => {
    let reached = 0;
    const forbidden = await serve((_, response) => {
      reached++;
      response.end("secret");
    }, "127.0.0.2");
    const origin = await serve(redirector);
    const client = egress({ mode: "allow-private", deny: ["127.0.0.2"] });
    for (const [to, code] of [
      [forbidden, "address_forbidden"],
      [forbidden.replace("127.0.0.2", "2130706434"), "address_forbidden"],
      [forbidden.replace("127.0.0.2", "[::ffff:127.0.0.2]"), "address_forbidden"],
      ["file:///etc/passwd", "address_forbidden"],
      ["data:,x", "address_forbidden"],
      ["http://", "network_failed"],
    ] as const) {
      await expect(client.fetch(get(`${origin}/302?to=${encodeURIComponent(to)}`), never)).rejects.toMatchObject({
        code,
      });
    }
    expect(reached).toBe(0);
  });
});

describe("the policy", () => {
  it("denies loopback by default, by address and by name, without a connection", async () => {
    let reached = 0;
    const origin = await serve((_, response) => {
      reached++;
      response.end();
    });
    const { port } = new URL(origin);
    const lookup: Lookup = () => Promise.resolve([{ address: "127.0.0.1", family: 4 }]);
    const client = egress({}, {}, lookup);
    for (const host of ["127.0.0.1", "localhost", "0x7f.1", "[::ffff:127.0.0.1]", "public.test"]) {
      await expect(client.fetch(get(`http://${host}:${port}/`), never)).rejects.toMatchObject({
        code: "address_forbidden",
        message: expect.stringMatching(/loopback|unspecified/),
      });
    }
    expect(reached).toBe(0);
  });

  it("refuses a host when one of its addresses is forbidden", async () => {
    const lookup: Lookup = () =>
      Promise.resolve([
        { address: "8.8.8.8", family: 4 },
        { address: "::1", family: 6 },
      ]);
    await expect(egress({}, {}, lookup).fetch(get("http://mixed.test/"), never)).rejects.toThrow(
      "Address mixed.test is not allowed: loopback addresses are denied.",
    );
  });

  it("connects to the checked address, whatever the name server answers next", async () => {
    const good = await serve((_, response) => response.setHeader("connection", "close").end("good"));
    const { port } = new URL(good);
    const answers = ["127.0.0.1", "127.0.0.2"];
    const asked: string[] = [];
    const lookup: Lookup = (host) => {
      asked.push(host);
      return Promise.resolve([{ address: answers[asked.length - 1] ?? "127.0.0.2", family: 4 }]);
    };
    const client = egress({ mode: "allow-private", deny: ["127.0.0.2"] }, {}, lookup);
    const url = `http://rebind.test:${port}/`;
    expect(text(await client.fetch(get(url), never))).toBe("good");
    expect(asked).toEqual(["rebind.test"]);
    // A new connection asks again, and the new answer is checked too.
    await expect(client.fetch(get(url), never)).rejects.toMatchObject({ code: "address_forbidden" });
    expect(asked).toHaveLength(2);
  });

  it("sends nothing with `none`", async () => {
    await expect(egress({ mode: "none" }).fetch(get("http://example.com/"), never)).rejects.toThrow(
      "the network is off",
    );
  });
});

describe("upstream", () => {
  it("gets every request with the original URL, redirects included", async () => {
    const upstream = await serve((request, response) => {
      if (request.headers["x-original-url"] === "https://api.example.com/start?a=1")
        response.writeHead(302, { location: "https://other.example/next" }).end();
      else echo(request, response);
    });
    const noLookup: Lookup = () => Promise.reject(new Error("no name is looked up"));
    const client = egress({ upstream }, {}, noLookup);
    const reply = await client.fetch(
      get("https://api.example.com/start?a=1#x", { headers: [["X-Original-Url", "http://forged/"]] }),
      never,
    );
    expect(reply).toMatchObject({ url: "https://other.example/next", redirected: true });
    const seen = JSON.parse(text(reply)) as Echo;
    expect(seen.url).toBe("/next");
    expect(seen.headers).toMatchObject({
      "x-original-url": "https://other.example/next",
      host: new URL(upstream).host,
    });
  });

  it("is exempt from the policy, and no other address is", async () => {
    const upstream = await serve(echo);
    const client = egress({ upstream });
    expect((await client.fetch(get(`${upstream}/direct`), never)).status).toBe(200);
    for (const url of ["http://127.0.0.1:1/", "http://localhost/", "http://169.254.169.254/", "file:///etc/passwd"]) {
      await expect(client.fetch(get(url), never)).rejects.toMatchObject({ code: "address_forbidden" });
    }
  });

  it("must be an http or https origin", () => {
    for (const upstream of ["", "localhost:80", "ftp://a/"])
      expect(() => createEgress({ upstream }, smallLimits)).toThrow("network.upstream");
  });
});
