import { expect, test } from "vitest";

import { isForeign, ownHosts } from "./own-host.ts";

test("localhost, addresses and given names are hosts of the service, others are not", () => {
  const isOwn = ownHosts(["Hooks.Example.com"]);
  const own = ["localhost", "localhost:7777", "127.0.0.1:80", "10.0.0.7", "[::1]:7777", "hooks.example.com:443"];
  expect(own.filter((host) => !isOwn(host))).toEqual([]);
  const others = [
    null,
    "",
    "evil.example",
    "localhost.evil.example",
    "127.0.0.1.evil.example",
    "a@localhost",
    "localhost/x",
  ];
  expect(others.filter(isOwn)).toEqual([]);
});

const foreign = (headers: Record<string, string>): boolean => isForeign(new Headers(headers));

test("a request is foreign when a page of another origin made it", () => {
  expect(foreign({ host: "127.0.0.1:7777" })).toBe(false);
  expect(foreign({ host: "127.0.0.1:7777", origin: "http://127.0.0.1:7777", "sec-fetch-site": "same-origin" })).toBe(
    false,
  );
  // A proxy that ends TLS.
  expect(foreign({ host: "hooks.example.com", origin: "https://hooks.example.com" })).toBe(false);
  for (const origin of ["http://127.0.0.1:7778", "http://localhost:7777", "null", "https://evil.example"])
    expect(foreign({ host: "127.0.0.1:7777", origin }), origin).toBe(true);
  expect(foreign({ host: "127.0.0.1:7777", "sec-fetch-site": "cross-site" })).toBe(true);
});
