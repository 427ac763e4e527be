import { brotliCompressSync, deflateRawSync, deflateSync, gzipSync } from "node:zlib";

import { describe, expect, it } from "vitest";

import type { Lookup } from "./lookup.ts";
import { bytes, echo, get, headersOf, loopback, never, readAll, text } from "./loopback.cases.ts";
import type { Echo } from "./loopback.cases.ts";

const { serve, egress } = loopback();

describe("an exchange", () => {
  it("sends method, headers and body, and returns status, headers and body", async () => {
    const origin = await serve((request, response) => {
      void readAll(request).then((body) => {
        response.statusMessage = "Fine";
        response.writeHead(
          201,
          [
            ["Set-Cookie", "a=1"],
            ["Set-Cookie", "b=2"],
            ["X-Got", `${request.method} ${body}`],
          ].flat(),
        );
        response.write("he");
        response.end("llo");
      });
    });
    const reply = await egress().fetch(get(`${origin}/p?q=1#hash`, { method: "post", body: bytes("data") }), never);
    expect(reply).toMatchObject({ url: `${origin}/p?q=1`, status: 201, statusText: "Fine", redirected: false });
    expect(text(reply)).toBe("hello");
    expect(reply.headers.filter(([name]) => name === "set-cookie")).toEqual([
      ["set-cookie", "a=1"],
      ["set-cookie", "b=2"],
    ]);
    expect(headersOf(reply)["x-got"]).toBe("POST data");
  });

  it("refuses a host that is longer than any name before it parses it", async () => {
    const host = `a${"\u0301".repeat(1e5)}${"\u0323".repeat(1e5)}`;
    await expect(egress().fetch(get(`http://${host}/`), never)).rejects.toThrow("the URL is not valid");
    expect(() => egress().forbidden(`http://${host}/`)).toThrow("Invalid URL");
    const origin = await serve((_request, response) =>
      response.writeHead(302, { location: `//${"xn--a".repeat(900)}/` }).end(),
    );
    await expect(egress().fetch(get(origin), never)).rejects.toThrow("the redirect has no valid location");
  });

  it("sets its own connection headers and keeps those of the component", async () => {
    const origin = await serve(echo);
    const reply = await egress().fetch(
      get(origin, {
        method: "POST",
        body: bytes("x"),
        headers: [
          ["Host", "evil.example"],
          ["Connection", "upgrade"],
          ["Upgrade", "h2c"],
          ["Transfer-Encoding", "chunked"],
          ["Content-Length", "9999"],
          ["Expect", "100-continue"],
          ["User-Agent", "mine/1"],
          ["Origin", "http://a.example"],
          ["Referer", "http://b.example/"],
          ["X-Multi", "1"],
          ["X-Multi", "2"],
        ],
      }),
      never,
    );
    const { headers } = JSON.parse(text(reply)) as Echo;
    expect(headers).toMatchObject({
      host: new URL(origin).host,
      connection: "keep-alive",
      "content-length": "1",
      "user-agent": "mine/1",
      origin: "http://a.example",
      referer: "http://b.example/",
      "x-multi": "1, 2",
      "accept-encoding": "gzip, deflate, br",
    });
    for (const name of ["upgrade", "transfer-encoding", "expect", "x-original-url"])
      expect(headers).not.toHaveProperty(name);
  });

  it("sends credentials of the URL as a header, and never shows them in errors", async () => {
    const origin = await serve(echo);
    const withUser = origin.replace("//", "//us%65r:p%40ss@");
    const { headers } = JSON.parse(text(await egress().fetch(get(withUser), never))) as Echo;
    expect(headers["authorization"]).toBe(`Basic ${Buffer.from("user:p@ss").toString("base64")}`);
    await expect(egress({}).fetch(get(withUser), never)).rejects.toThrow(/^Address 127\.0\.0\.1 is not allowed/);
  });

  it("refuses methods and header values that could break the protocol", async () => {
    const origin = await serve(echo);
    const client = egress();
    for (const method of ["CONNECT", "trace", "GET / HTTP/1.1\r\nx: y\r\n\r\n", ""]) {
      await expect(client.fetch(get(origin, { method }), never)).rejects.toMatchObject({ code: "network_failed" });
    }
    for (const header of [
      ["x", "a\r\nb: c"],
      ["x y", "1"],
      ["x\r\nb", "1"],
      ["x", "a\0"],
    ] as const) {
      await expect(client.fetch(get(origin, { headers: [header] }), never)).rejects.toMatchObject({
        code: "network_failed",
      });
    }
    await expect(client.fetch(get("not a url"), never)).rejects.toMatchObject({ code: "network_failed" });
  });

  it("reuses connections", async () => {
    const sockets = new Set<unknown>();
    const origin = await serve((request, response) => {
      sockets.add(request.socket);
      response.end();
    });
    const client = egress();
    for (let count = 0; count < 10; count++) await client.fetch(get(origin), never);
    // A request that follows at once may still find the first connection busy.
    expect(sockets.size).toBeLessThanOrEqual(2);
  });
});

describe("bodies", () => {
  const plain = "text ".repeat(1_000);

  it("are decoded from gzip, deflate, bare deflate, br and several at once", async () => {
    const encodings: { [path: string]: [string, Buffer] } = {
      "/gzip": ["gzip", gzipSync(plain)],
      "/x-gzip": ["X-GZIP", gzipSync(plain)],
      "/cut": ["gzip", gzipSync(plain).subarray(0, -8)],
      "/deflate": ["deflate", deflateSync(plain)],
      "/raw": ["deflate", deflateRawSync(plain)],
      "/br": ["br", brotliCompressSync(plain)],
      "/both": ["deflate, gzip", gzipSync(deflateSync(plain))],
      "/identity": ["identity", Buffer.from(plain)],
    };
    const origin = await serve((request, response) => {
      const [encoding, body] = encodings[request.url ?? ""] ?? ["", Buffer.alloc(0)];
      response.writeHead(200, { "content-encoding": encoding, "content-length": body.length }).end(body);
    });
    const client = egress();
    for (const path of Object.keys(encodings)) {
      const reply = await client.fetch(get(origin + path), never);
      expect([path, text(reply)]).toEqual([path, plain]);
      expect("content-encoding" in headersOf(reply)).toBe(path === "/identity");
    }
  });

  it("stay encoded with an unknown coding, and empty without content", async () => {
    const origin = await serve((request, response) => {
      const status = request.url === "/empty" ? 204 : 200;
      response.writeHead(status, { "content-encoding": request.url === "/odd" ? "rot13" : "gzip" });
      response.end(request.url === "/odd" ? "uryyb" : undefined);
    });
    const client = egress();
    const odd = await client.fetch(get(`${origin}/odd`), never);
    expect([text(odd), headersOf(odd)["content-encoding"]]).toEqual(["uryyb", "rot13"]);
    expect((await client.fetch(get(`${origin}/empty`), never)).body).toHaveLength(0);
    expect((await client.fetch(get(origin, { method: "HEAD" }), never)).body).toHaveLength(0);
  });

  it("fail at the limit while they stream, before and after decoding", async () => {
    const bomb = gzipSync(Buffer.alloc(5_000_000));
    const bombs: { [path: string]: [string, Buffer] } = {
      "/gzip": ["gzip", bomb],
      "/br": ["br", brotliCompressSync(Buffer.alloc(5_000_000))],
      "/twice": ["gzip, gzip", gzipSync(bomb)],
    };
    const origin = await serve((request, response) => {
      const [encoding, body] = bombs[request.url ?? ""] ?? [];
      if (encoding) response.writeHead(200, { "content-encoding": encoding }).end(body);
      else {
        const endless = (): void => {
          while (response.write(Buffer.alloc(16_384)));
          response.once("drain", endless);
        };
        endless();
      }
    });
    const client = egress();
    for (const path of [...Object.keys(bombs), "/endless"]) {
      await expect(client.fetch(get(origin + path), never)).rejects.toMatchObject({
        code: "network_failed",
        message: expect.stringContaining("larger than 100000 bytes"),
      });
    }
  });

  it("with an invalid coding are an error", async () => {
    const origin = await serve((_, response) => {
      response.writeHead(200, { "content-encoding": "gzip" }).end("plain text");
    });
    await expect(egress().fetch(get(origin), never)).rejects.toThrow("the body is not valid gzip");
  });
});

describe("connections", () => {
  it("that hang for one source do not block another one at the same origin, and end with their requests", async () => {
    const asked = Promise.withResolvers<void>();
    let hanging = 0;
    const origin = await serve((request, response) => {
      if (request.url === "/well") return void response.end("well");
      hanging += 1;
      if (hanging === 32) asked.resolve();
    });
    const client = egress();
    const over = new AbortController();
    const [one, other] = [
      { sourceId: "dc_1", userId: "u_1" },
      { sourceId: "dc_2", userId: "u_1" },
    ];
    const waiting = Array.from({ length: 100 }, () =>
      client.fetch(get(`${origin}/hang`), over.signal, { sender: one }),
    );
    await asked.promise;
    expect(text(await client.fetch(get(`${origin}/well`), never, { sender: other }))).toBe("well");
    expect(hanging).toBe(32);
    over.abort();
    const ends = await Promise.allSettled(waiting);
    expect(ends.every(({ status }) => status === "rejected")).toBe(true);
    expect(text(await client.fetch(get(`${origin}/well`), never, { sender: one }))).toBe("well");
  });
});

describe("failures", () => {
  it("end a slow body and a silent server at the time limit", async () => {
    const origin = await serve((request, response) => {
      if (request.url === "/slow") response.writeHead(200).write("first");
    });
    const client = egress({ mode: "allow-private" }, { fetchTimeoutMs: 50 });
    for (const path of ["/slow", "/silent"]) {
      await expect(client.fetch(get(origin + path), never)).rejects.toThrow("no complete answer within 50 ms");
    }
  });

  it("return the part of a body that arrived before the connection broke", async () => {
    const origin = await serve((request, response) => {
      const [coding, half] =
        request.url === "/gzip" ? [{ "content-encoding": "gzip" }, gzipSync("whole").subarray(0, 12)] : [{}, "half"];
      response.writeHead(200, { "content-length": 100, ...coding }).write(half, () => request.socket.destroy());
    });
    const client = egress();
    const whole = await client.fetch(get(`${origin}/plain`), never);
    expect(text(whole)).toBe("half");
    expect(whole).toMatchObject({ status: 200, cut: { message: expect.stringContaining("broke") } });
    const coded = await client.fetch(get(`${origin}/gzip`), never);
    expect(text(coded)).toBe("");
    expect(coded.cut).toBeInstanceOf(Error);
  });

  it("report a reset, a refused connection, an unknown host and huge headers", async () => {
    const origin = await serve((request, response) => {
      if (request.url === "/reset") request.socket.destroy();
      else response.setHeader("x-huge", "x".repeat(100_000)).end();
    });
    const lookup: Lookup = () =>
      Promise.reject(Object.assign(new Error("getaddrinfo ENOTFOUND"), { code: "ENOTFOUND" }));
    const client = egress({ mode: "allow-private" }, {}, lookup);
    for (const [url, problem] of [
      [`${origin}/reset`, /UND_ERR_SOCKET|ECONNRESET/],
      [`${origin}/huge`, /UND_ERR_HEADERS_OVERFLOW/],
      ["http://127.0.0.1:1/", /ECONNREFUSED/],
      ["http://unknown.test/", /ENOTFOUND/],
    ] as const) {
      await expect(client.fetch(get(url), never)).rejects.toMatchObject({
        code: "network_failed",
        message: expect.stringMatching(problem),
      });
    }
  });

  it("report a cancellation, before and during the exchange, and the closing of the egress", async () => {
    const controller = new AbortController();
    const origin = await serve((request) => {
      if (request.url === "/cancel") controller.abort();
      else void client.close();
    });
    const client = egress();
    await expect(client.fetch(get(`${origin}/cancel`), controller.signal)).rejects.toThrow("it was cancelled");
    await expect(client.fetch(get(origin), AbortSignal.abort())).rejects.toThrow("it was cancelled");
    await expect(client.fetch(get(`${origin}/close`), never)).rejects.toThrow("the runtime is closing");
  });

  it("show neither query nor fragment of the URL", async () => {
    const failed = egress().fetch(get("http://127.0.0.1:1/path?key=secret#secret"), never);
    await expect(failed).rejects.toThrow(/^Request to http:\/\/127\.0\.0\.1:1\/path failed/);
    await expect(failed).rejects.not.toThrow("secret");
  });
});
