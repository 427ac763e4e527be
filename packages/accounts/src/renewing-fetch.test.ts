import { expect, test } from "vitest";

import { renewingFetch } from "./renewing-fetch.ts";
import type { GuestReply, GuestRequest } from "../../sandbox/src/contract.ts";

const request = (more: Partial<GuestRequest> = {}): GuestRequest => ({
  url: "https://api.example/items",
  method: "GET",
  headers: [["authorization", "Bearer old"]],
  body: undefined,
  redirect: "follow",
  ...more,
});
const reply = (status: number, more: Partial<GuestReply> = {}): GuestReply => ({
  url: "https://api.example/items",
  status,
  statusText: "",
  headers: [],
  body: new Uint8Array(),
  redirected: false,
  ...more,
});

interface Told {
  readonly sent: GuestRequest[];
  readonly asked: string[];
  readonly renewed: unknown[];
}

/** A fetch that refuses the token "old", and an account whose later token is `next`. */
function start(
  next: string | undefined,
  answers: Partial<GuestReply> = {},
): Told & { fetch: ReturnType<typeof renewingFetch> } {
  const told: Told = { sent: [], asked: [], renewed: [] };
  const fetch = renewingFetch(
    async (given) => {
      told.sent.push(given);
      const text = JSON.stringify([given.headers, given.url, new TextDecoder().decode(given.body)]);
      return reply(text.includes("old") ? 401 : 200, answers);
    },
    {
      knows: (token) => token === "old" || token === next,
      async rejected(token) {
        told.asked.push(token);
        return next === undefined ? undefined : { oauth_access_token: next };
      },
    },
    { userId: "u_1", renewed: (auth) => told.renewed.push(auth) },
  );
  return { ...told, fetch };
}
const { signal } = new AbortController();

test("a request that is refused is sent once more with the new token, and the ones after it at once", async () => {
  const { fetch, sent, asked, renewed } = start("new");
  const body = new Uint8Array([1]);
  expect((await fetch(request({ method: "POST", body }), signal)).status).toBe(200);
  expect((await fetch(request(), signal)).status).toBe(200);
  expect(sent.map(({ method, headers }) => [method, headers[0]?.[1]])).toEqual([
    ["POST", "Bearer old"],
    ["POST", "Bearer new"],
    ["GET", "Bearer new"],
  ]);
  expect(sent[1]?.body).toBe(body);
  expect([asked, renewed]).toEqual([["old"], [{ oauth_access_token: "new" }]]);
});

test("the token is found in any header, whatever its scheme, and in the query", async () => {
  const { fetch, sent } = start("n/w +");
  await fetch(
    request({
      headers: [
        ["x-token", "old"],
        ["authorization", "token old"],
        ["x-other", "older old"],
      ],
    }),
    signal,
  );
  await fetch(request({ headers: [], url: "https://api.example/items?a=1&access_token=old&b=older" }), signal);
  expect(sent[1]?.headers).toEqual([
    ["x-token", "n/w +"],
    ["authorization", "token n/w +"],
    ["x-other", "older n/w +"],
  ]);
  expect(sent.at(-1)?.url).toBe("https://api.example/items?a=1&access_token=n%2Fw+%2B&b=older");
});

test("the token is found in a form and in JSON", async () => {
  const { fetch, sent } = start("new", {});
  const text = (index: number): string => new TextDecoder().decode(sent[index]?.body);
  const post = (type: string, body: string): GuestRequest =>
    request({ method: "POST", headers: [["content-type", type]], body: new TextEncoder().encode(body) });
  expect((await fetch(post("application/x-www-form-urlencoded", "a=1&access_token=old"), signal)).status).toBe(200);
  expect((await fetch(post("application/json", '{"token":"old"}'), signal)).status).toBe(200);
  // The first request was refused and sent again; the second one had the new token at once.
  expect([0, 1, 2].map(text)).toEqual(["a=1&access_token=old", "a=1&access_token=new", '{"token":"new"}']);
  expect(sent.length).toBe(3);
});

test("without another token, or after a redirect that left the token out, the component gets the 401", async () => {
  const without = start(undefined);
  expect((await without.fetch(request(), signal)).status).toBe(401);
  expect([without.sent.length, without.asked]).toEqual([1, ["old"]]);
  const elsewhere = start("new", { redirected: true, url: "https://cdn.example/items" });
  expect((await elsewhere.fetch(request(), signal)).status).toBe(401);
  expect([elsewhere.sent.length, elsewhere.asked]).toEqual([1, []]);
});

test("requests without a token of an account are not looked at", async () => {
  const { fetch, sent, asked } = start("new");
  const plain = request({ headers: [["authorization", "Bearer unknown-old"]] });
  expect((await fetch(plain, signal)).status).toBe(401);
  expect([sent, asked]).toEqual([[plain], []]);
});
