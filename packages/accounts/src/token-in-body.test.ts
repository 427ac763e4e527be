import { expect, test } from "vitest";

import { bodyCandidates, withTokenInBody } from "./token-in-body.ts";

const sent = (type: string | undefined, body: string | Uint8Array, ...more: (readonly [string, string])[]) => ({
  headers: [...(type === undefined ? [] : [["Content-Type", type] as const]), ...more],
  body: typeof body === "string" ? new TextEncoder().encode(body) : body,
});
const form = "application/x-www-form-urlencoded;charset=UTF-8";
const after = (request: ReturnType<typeof sent>, token = "new"): string =>
  new TextDecoder().decode(withTokenInBody(request, "o/ld", token).body);

test("a value of a form is replaced, and the others stay as they were written", () => {
  const request = sent(form, "a=%20+x&access_token=o%2Fld&b=o/ld&o/ld=1&c=o/lder&=&d&e=");
  expect(bodyCandidates(request)).toEqual(["  x", "o/ld", "o/ld", "1", "o/lder", "", ""]);
  expect(after(request, "n+w =&")).toBe("a=%20+x&access_token=n%2Bw+%3D%26&b=n%2Bw+%3D%26&o/ld=1&c=o/lder&=&d&e=");
  expect(after(sent(form, "token=a=o/ld"))).toBe("token=a=o/ld");
});

test("a string of JSON is replaced at any depth, and numbers keep their spelling", () => {
  const text =
    '{ "id": 12345678901234567890, "n": 1.0,\n "auth": {"token":"o\\/ld", "say": "\\"o/ld\\" is it"}, "k": ["o/ld"] }';
  const expected = text.replace('"o\\/ld"', '"n\\"w"').replace('["o/ld"]', '["n\\"w"]');
  for (const type of ["application/json", "application/vnd.api+json", "text/plain;charset=UTF-8", undefined])
    expect(after(sent(type, text), 'n"w')).toBe(expected);
});

test("the length is that of the new body", () => {
  const { headers, body } = withTokenInBody(sent(form, "t=o/ld", ["content-length", "6"]), "o/ld", "longer");
  expect([headers.at(-1), body.length]).toEqual([["content-length", "8"], 8]);
});

test.each([
  ["compressed", sent(form, "t=o/ld", ["Content-Encoding", "gzip"])],
  ["signed", sent(form, "t=o/ld", ["content-md5", "x"])],
  ["not UTF-8", sent(form, new Uint8Array([116, 61, 255]))],
  ["a text", sent("text/plain", "o/ld")],
  ["of several parts", sent("multipart/form-data; boundary=b", '--b\r\nname="t"\r\n\r\no/ld\r\n--b--')],
  ["broken JSON", sent("application/json", '{"\\x')],
  ["large", sent("application/json", `{"t":"o/ld","pad":"${"x".repeat(64 * 1024)}"}`)],
  ["empty", sent(form, "")],
])("a body that is %s stays as it is", (_, request) => {
  expect(bodyCandidates(request)).toEqual([]);
  expect(withTokenInBody(request, "o/ld", "new")).toBe(request);
});
