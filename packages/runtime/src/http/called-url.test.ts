import { expect, test } from "vitest";

import type { EndpointRequest } from "../api/api.ts";
import { calledUrl } from "./called-url.ts";

const key = "abc";
const request = (url: string, target?: string): EndpointRequest =>
  ({ url, ...(target !== undefined && { target }) }) as EndpointRequest;

test.each([
  ["behind TLS", "https://h.test", "http://h.test/in/abc/sms?a=1", "/in/abc/sms?a=1", "https://h.test/in/abc/sms?a=1"],
  ["a replaced host", "https://h.test:8443", "http://10.0.0.1:7777/in/abc", "/in/abc", "https://h.test:8443/in/abc"],
  ["a removed prefix", "https://h.test/t/x", "http://h.test/in/abc/", "/in/abc/", "https://h.test/t/x/in/abc/"],
  ["a kept prefix", "https://h.test/t/x", "http://h.test/t/x/in/abc?q", "/t/x/in/abc?q", "https://h.test/t/x/in/abc?q"],
  [
    "text as sent",
    "https://h.test",
    "http://h.test/in/abc/%20?b=/",
    "/in/abc/%20?b=%2F",
    "https://h.test/in/abc/%20?b=%2F",
  ],
  ["an absolute target", "https://h.test", "http://i/in/abc/a", "http://i/in/abc/a", "https://h.test/in/abc/a"],
  ["no target", "https://h.test", "http://i/in/abc/a?b=1", undefined, "https://h.test/in/abc/a?b=1"],
  [
    "the key in a query",
    "https://h.test",
    "http://abc.localhost/?u=/in/abc",
    "/?u=/in/abc",
    "http://abc.localhost/?u=/in/abc",
  ],
  ["a host of its own", "https://h.test", "http://abc.localhost:7777/a", "/a", "http://abc.localhost:7777/a"],
])("S42 the URL that the sender called: %s", (_, publicUrl, url, target, called) => {
  expect(calledUrl((of) => `${publicUrl}/in/${of}`)(request(url, target), key)).toBe(called);
});
