import { expect, test } from "vitest";

import { EnvironmentError } from "../errors.ts";
import { openTunnel, tunnelUrl } from "./tunnel.ts";

test.each([
  [
    "|  https://hub-calm-words.trycloudflare.com                                  |",
    "https://hub-calm-words.trycloudflare.com",
  ],
  [
    't=2026 lvl=info msg="started tunnel" addr=http://localhost:7777 url=https://a1b2.ngrok-free.app',
    "https://a1b2.ngrok-free.app",
  ],
  ["your url is: https://three-dogs.loca.lt", "https://three-dogs.loca.lt"],
  ["ab12.lhr.life tunneled with tls termination, https://ab12.lhr.life", "https://ab12.lhr.life"],
  ["Available on the internet: https://box.tail1.ts.net/", "https://box.tail1.ts.net"],
  ["https://abcd-7777.euw.devtunnels.ms, and more", "https://abcd-7777.euw.devtunnels.ms"],
  ["http://plain.example.com:8080", "http://plain.example.com:8080"],
  ["Doing so means that you agree to the terms (https://www.cloudflare.com/website-terms/)", undefined],
  ["Visit https://dashboard.example.com/get-started?x=1#a", undefined],
  ["forwarding to http://127.0.0.1:7777 and http://localhost:7777/ and http://[::1]:7777", undefined],
  ["nothing here", undefined],
])("the URL in %j", (line, expected) => {
  expect(tunnelUrl(line)).toBe(expected);
});

test("a program that ends without a URL is an error with what it printed", async () => {
  const opening = openTunnel("echo to {port}, $PORT; echo no account >&2; exit 3", 7, new AbortController().signal);
  await expect(opening).rejects.toBeInstanceOf(EnvironmentError);
  await expect(opening).rejects.toThrow(
    /^the tunnel ended with 3 before it printed its URL: echo to \{port\}[^]*\n {2}to 7, 7/,
  );
  await expect(opening).rejects.toThrow("no account");
});

test("a stop ends a program that prints nothing, with what it started", async () => {
  const stop = new AbortController();
  const opening = openTunnel("sleep 1000 & sleep 1000", 7, stop.signal);
  stop.abort();
  await expect(opening).rejects.toThrow("the tunnel was stopped");
});
