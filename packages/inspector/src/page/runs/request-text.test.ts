import { expect, test } from "vitest";

import { hexLines, requestOf, requestText } from "./request-text.ts";

test("a request is written as it came: its target, its headers in order and case, and its body", () => {
  const headers = [["Host", "x.test"] as const, ["X-Twice", "1"] as const, ["x-twice", "2"] as const];
  const request = { method: "PUT", target: "/in/k//a%20b?b=1&b", http_version: "1.0", headers };
  const head = "PUT /in/k//a%20b?b=1&b HTTP/1.0\r\nHost: x.test\r\nX-Twice: 1\r\nx-twice: 2\r\n\r\n";
  expect(requestText({ ...request, body: '{"a":1}\n' })).toBe(`${head}{"a":1}\n`);
  expect(requestText({ ...request, body_base64: btoa("ÿ") })).toBe(`${head}${hexLines(btoa("ÿ")).join("")}`);
});

test("the request of a replay is made from its event, with its path and query, headers and body", () => {
  const event = {
    method: "POST",
    path: "/a",
    url: "http://x.test/in/key/a?b=1&b=2",
    headers: { host: "x.test", "x-twice": ["1", "2"] },
    bodyRaw: '{"a":1}\n',
  };
  expect(requestText(requestOf(event))).toBe(
    'POST /in/key/a?b=1&b=2 HTTP/1.1\r\nhost: x.test\r\nx-twice: 1\r\nx-twice: 2\r\n\r\n{"a":1}\n',
  );
  expect(requestText(requestOf({}))).toBe("GET / HTTP/1.1\r\n\r\n");
});

test("bytes that are no text are shown in hexadecimal", () => {
  expect(hexLines(btoa("AB\u0000ÿ0123456789abcdef"))).toEqual([
    "000000  41 42 00 ff 30 31 32 33 34 35 36 37 38 39 61 62  AB..0123456789ab",
    "000010  63 64 65 66                                      cdef",
  ]);
});
