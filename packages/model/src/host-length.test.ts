import { expect, test } from "vitest";

import { hasLongHost } from "./host-length.ts";

const long = "a\u0301".repeat(1_000);

test.each([
  `http://${long}`,
  `HTTPS:\\\\${long}/path`,
  `ht\ntp:${long}`,
  ` \0 http:////${long}?query`,
  `//${long}`,
  `\\/${long}#hash`,
  `file://${long}`,
  `wss://user:password@${long}:80/`,
  `http://a@b@${long}`,
])("a host longer than any name is detected before it is parsed: %j", (url) => {
  expect(hasLongHost(url)).toBe(true);
});

test.each([
  `http://host.example/${long}`,
  `http://host.example?${long}`,
  `http://host.example#${long}`,
  `http://${"token".repeat(1_000)}:x@host.example/`,
  `/${long}`,
  `path/${long}`,
  `data:text/plain,${long}`,
  `custom://${long}/`,
  "http://host.example/",
])("a long text elsewhere in a URL is accepted: %j", (url) => {
  expect(hasLongHost(url)).toBe(false);
});
