import { describe, expect, it } from "vitest";

import type { EndpointRequest } from "../api/api.ts";
import { httpEvent } from "./request-event.ts";

function request(given: Omit<Partial<EndpointRequest>, "body"> & { body?: string | Uint8Array } = {}): EndpointRequest {
  const { body = "", ...rest } = given;
  return {
    method: "POST",
    path: "/",
    url: "http://127.0.0.1:7777/in/key",
    search: "",
    headers: [],
    clientIp: "127.0.0.1",
    ...rest,
    body: typeof body === "string" ? new TextEncoder().encode(body) : body,
  };
}

const eventOf = (given: Parameters<typeof request>[0]) => httpEvent(request(given)).event;

const withType = (contentType: string, body: string | Uint8Array) =>
  eventOf({ headers: [["Content-Type", contentType]], body });

describe("the event of a request", () => {
  it("R059, G35 and S4 has exactly the documented fields", () => {
    const event = eventOf({
      method: "post",
      path: "/a/b",
      url: "http://127.0.0.1:7777/in/key/a/b?x=1",
      search: "x=1",
      headers: [
        ["Content-Type", "application/json"],
        ["X-Signature", "abc"],
      ],
      body: '{"timestamp":1,"cron":"x","interval_seconds":2}',
      clientIp: "10.1.2.3",
    });
    expect(event).toEqual({
      method: "POST",
      path: "/a/b",
      query: { x: "1" },
      headers: { "content-type": "application/json", "x-signature": "abc" },
      body: { timestamp: 1, cron: "x", interval_seconds: 2 },
      bodyRaw: '{"timestamp":1,"cron":"x","interval_seconds":2}',
      url: "http://127.0.0.1:7777/in/key/a/b?x=1",
      client_ip: "10.1.2.3",
    });
  });

  it("G35 lower-cases header names and joins repeated ones", () => {
    const { headers } = eventOf({
      headers: [
        ["X-Tag", "a"],
        ["x-tag", "b"],
        ["Cookie", "a=1"],
        ["cookie", "b=2"],
        ["Host", "first"],
        ["host", "second"],
        ["__proto__", "harmless"],
      ],
    });
    expect(Object.entries(headers ?? {})).toEqual([
      ["x-tag", "a, b"],
      ["cookie", "a=1; b=2"],
      ["host", "first"],
      ["__proto__", "harmless"],
    ]);
  });

  it("G35 makes an array of repeated query keys, and keeps names of object members harmless", () => {
    const { query } = eventOf({
      search: "a=1&a=2&b=x+y%21&c&a[]=3&__proto__=p&constructor=q&=e&toString=r&toString=s",
    });
    expect(JSON.stringify(query)).toBe(
      '{"a":["1","2"],"b":"x y!","c":"","a[]":"3","__proto__":"p","constructor":"q","":"e","toString":["r","s"]}',
    );
    expect(({} as { p?: unknown }).p).toBeUndefined();
  });
});

describe("bodies", () => {
  it("G36 parses JSON, also +json types and a leading byte order mark", () => {
    for (const type of [
      "application/json",
      "Application/JSON; charset=utf-8",
      "application/vnd.api+json",
      "text/json",
    ]) {
      expect(withType(type, '[1,{"a":null}]')["body"]).toEqual([1, { a: null }]);
    }
    expect(withType("application/json", "\uFEFF7")).toMatchObject({ body: 7, bodyRaw: "\uFEFF7" });
    expect(withType("application/json", "null")["body"]).toBeNull();
  });

  it("G36 leaves invalid JSON as text", () => {
    for (const text of ["{", "{'a':1}", "undefined", " ", '{"a":1}x']) {
      expect(withType("application/json", text)).toMatchObject({ body: text, bodyRaw: text });
    }
  });

  it("leaves JSON as text when it nests deeper than 256, however large it is", () => {
    const nested = (depth: number): string => "[".repeat(depth) + "]".repeat(depth);
    expect(withType("application/json", nested(256))["body"]).toBeInstanceOf(Array);
    for (const bomb of [nested(257), "[".repeat(500_000), '{"a":'.repeat(100_000)]) {
      expect(withType("application/json", bomb)["body"]).toBe(bomb);
    }
    // How large a body may be is `limits.httpBodyBytes`: what was let in is parsed.
    const large = "x".repeat(600 * 1024);
    expect(withType("application/json", JSON.stringify({ large }))["body"]).toEqual({ large });
    const quoted = JSON.stringify({ text: `${"[".repeat(1_000)}\\"${"{".repeat(1_000)}` });
    expect(withType("application/json", quoted)["body"]).toEqual(JSON.parse(quoted));
  });

  it("keeps a member named __proto__ of a JSON body as data", () => {
    const event = withType("application/json", '{"__proto__":{"polluted":true}}');
    expect(JSON.stringify(event["body"])).toBe('{"__proto__":{"polluted":true}}');
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it("T11 leaves form-urlencoded and any other type as text", () => {
    expect(withType("application/x-www-form-urlencoded", "a=1&b=%20")).toMatchObject({ body: "a=1&b=%20" });
    expect(withType("text/xml", "<a/>")).toMatchObject({ body: "<a/>", bodyRaw: "<a/>" });
    expect(eventOf({ body: '{"a":1}' })).toMatchObject({ body: '{"a":1}' });
  });

  it("G36 has no body when the request has none", () => {
    const event = withType("application/json", "");
    expect("body" in event).toBe(false);
    expect(event["bodyRaw"]).toBe("");
  });

  it("S26 keeps exact text, and carries the bytes when it is not valid UTF-8", () => {
    const text = "\uFEFFé\0€😀\r\n";
    const exact = withType("text/plain", text);
    expect(exact["bodyRaw"]).toBe(text);
    expect("body_b64" in exact).toBe(false);
    const bytes = Uint8Array.from([0x7b, 0xff, 0xfe, 0x00, 0x7d]);
    for (const type of ["application/octet-stream", "application/json"]) {
      const event = withType(type, bytes);
      expect(event["body_b64"]).toBe(Buffer.from(bytes).toString("base64"));
      expect(event["bodyRaw"]).toBe("{\uFFFD\uFFFD\0}");
      expect(typeof event["body"]).toBe("string");
    }
  });
});

describe("multipart", () => {
  const type = "multipart/form-data; boundary=line";
  const part = (headers: string, value: string): string => `--line\r\n${headers}\r\n\r\n${value}\r\n`;
  const field = (name: string, value: string): string => part(`Content-Disposition: form-data; name="${name}"`, value);

  it("G36 and S25 become an object with inline files", () => {
    const bytes = Buffer.concat([
      Buffer.from(field("a", "1") + field("b", "x") + field("b", "y") + field("__proto__", "p")),
      Buffer.from(
        '--line\r\nContent-Disposition: form-data; name="f"; filename="ä.bin"\r\nContent-Type: image/png\r\n\r\n',
      ),
      Buffer.from([0, 255, 13, 10]),
      Buffer.from("\r\n--line--\r\n"),
    ]);
    const event = withType(type, bytes);
    expect(JSON.stringify(event["body"])).toBe(
      '{"a":"1","b":["x","y"],"__proto__":"p","f":{"filename":"ä.bin","mimetype":"image/png","size":4,"content_b64":"AP8NCg=="}}',
    );
    expect(event["body_b64"]).toBe(bytes.toString("base64"));
  });

  it("reads what a client's own FormData sends", async () => {
    const form = new FormData();
    form.append("note", "line\r\nbreak");
    form.append("file", new File(["hello"], "a.txt", { type: "text/plain" }));
    const sent = new Response(form);
    const body = new Uint8Array(await sent.clone().arrayBuffer());
    const event = withType(sent.headers.get("content-type") ?? "", body);
    expect(event["body"]).toEqual({
      note: "line\r\nbreak",
      file: { filename: "a.txt", mimetype: "text/plain", size: 5, content_b64: "aGVsbG8=" },
    });
  });

  it("falls back to text when it is malformed", () => {
    const good = `${field("a", "1")}--line--\r\n`;
    for (const [contentType, body] of [
      [type, field("a", "1")],
      [type, good.replaceAll("\r\n", "\n")],
      [type, "nothing of the kind"],
      [type, part("Content-Type: text/plain", "1")],
      [type, part(`Content-Disposition: form-data; name="a"; filename*=UTF-8''%e2%82`, "1") + "--line--"],
      ["multipart/form-data", good],
      [`multipart/form-data; boundary=${"x".repeat(1_000)}`, good],
      ["multipart/form-data; boundary=other", good],
    ] as const) {
      expect(withType(contentType, body)["body"]).toBe(body);
    }
  });

  it("reads parts that contain the boundary without its dashes", () => {
    const bytes = Buffer.concat([
      Buffer.from(field("line", "a line, and --lin")),
      Buffer.from('--line\r\nContent-Disposition: form-data; name="f"; filename="line"\r\n\r\n'),
      Buffer.from([0xff, 0x6c, 0x69, 0x6e, 0x65]),
      Buffer.from("\r\n--line--\r\n"),
    ]);
    expect(withType(type, bytes)["body"]).toEqual({
      line: "a line, and --lin",
      f: { filename: "line", mimetype: "text/plain", size: 5, content_b64: "/2xpbmU=" },
    });
  });

  it("handles the most parts that fit a body", () => {
    const body = `${field("", "").repeat(9_000)}--line--`;
    const event = withType(type, body);
    expect((event["body"] as { "": string[] })[""]).toHaveLength(9_000);
  });
});
