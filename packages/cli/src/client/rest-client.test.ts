import { expect, test } from "vitest";

import { EnvironmentError, UsageError } from "../errors.ts";
import { createRestClient, type RestClient } from "./rest-client.ts";

/** A client of a service that answers as `answer` does, in this process. */
const clientOf = (answer: (request: Request) => Response, apiKey?: string): RestClient =>
  createRestClient("http://h", apiKey, (request) => Promise.resolve(answer(request)));

const route = "GET /users/me/accounts";

const told = (client: RestClient): Promise<unknown> => client.ask("GET /users/me").catch((error: unknown) => error);

test("a list is read over as many pages as it takes, or as far as it is wanted", async () => {
  const asked: string[] = [];
  const client = clientOf(({ url }) => {
    const { search, searchParams } = new URL(url);
    asked.push(search);
    const start = Number(searchParams.get("after") ?? 0);
    const end = Math.min(250, start + Number(searchParams.get("limit")));
    const data = Array.from({ length: end - start }, (_, index) => start + index);
    return Response.json({ data, page_info: { total_count: 250, end_cursor: String(end) } });
  });
  expect((await client.list(route, { query: { app: "x y" } })).length).toBe(250);
  expect(asked).toEqual(["?app=x+y&limit=100", "?app=x+y&limit=100&after=100", "?app=x+y&limit=100&after=200"]);
  expect(await client.list(route, {}, 101)).toHaveLength(101);
  expect(asked.slice(3)).toEqual(["?limit=100", "?limit=100&after=100"]);
});

test("a page that is short of items, as large ones make it, is not taken for the last", async () => {
  const client = clientOf(({ url }) => {
    const start = Number(new URL(url).searchParams.get("after") ?? 0);
    const data = Array.from({ length: Math.min(2, 5 - start) }, (_, index) => start + index);
    // One was deleted meanwhile.
    return Response.json({
      data,
      page_info: { total_count: 6, end_cursor: data.length > 0 ? String(start + data.length) : "" },
    });
  });
  expect(await client.list(route, {})).toEqual([0, 1, 2, 3, 4]);
});

test("a missing key and a wrong key have different errors", async () => {
  const refuse = (): Response => Response.json({ error: "", code: "unauthorized", details: {} }, { status: 401 });
  const missing = await told(clientOf(refuse));
  const wrong = await told(clientOf(refuse, "k"));
  expect([missing, wrong]).toEqual([
    new UsageError(
      "http://h needs an API key: X_API_KEY or --api-key KEY; x serve prints it at the first start, x dev at each start",
    ),
    new UsageError("http://h does not know this API key; x serve prints it at the first start, x dev at each start"),
  ]);
});

test("a server that is not an x service is reported; errors of a service keep their code", async () => {
  const strangers = [new Response("<html>", { status: 404 }), new Response("hello"), Response.json({ a: 1 })];
  for (const extra of strangers)
    expect(await told(clientOf(() => extra))).toEqual(new EnvironmentError("http://h is not an x service"));
  const refusal = { error: "No.", code: "busy", details: { a: 1 } };
  expect(await told(clientOf(() => Response.json(refusal, { status: 409 })))).toMatchObject({
    code: "busy",
    message: "No.",
    details: { a: 1 },
  });
});
