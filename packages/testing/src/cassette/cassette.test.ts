import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";

import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { componentText, failureOf } from "../source.cases.ts";
import { cassette, CassetteError, conformance, source, type SourceUnderTest } from "../index.ts";
import { chosenMode } from "./cassette.ts";
import { createScrub } from "./scrub.ts";

let folder = "";
let origin = "";
let asked = 0;
const server = createServer(async (request, response) => {
  asked += 1;
  const sent = Buffer.concat(await request.toArray()).toString();
  const page = new URL(request.url ?? "/", "http://x").searchParams.get("page");
  response.writeHead(200, {
    "content-type": "application/json",
    "content-encoding": "gzip",
    "set-cookie": "session=abc",
  });
  response.end(
    gzipSync(
      JSON.stringify({ items: [Number(page)], access_token: "fresh-token", echo: request.headers.authorization, sent }),
    ),
  );
});
beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "x-cassette-"));
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  rmSync(folder, { recursive: true, force: true });
});

const pages =
  componentText(`props: { acme: { type: "app", app: "acme" }, origin: { type: "string" } }, async run({ first = 1, pages }) {
  for (let page = first; page <= pages; page++) {
    const answer = await fetch(this.origin + "/items?page=" + page + "&api_key=" + this.acme.$auth.key, {
      headers: { authorization: "Bearer " + this.acme.$auth.key },
    });
    this.$emit((await answer.json()).items);
  }
}`);

async function open(name: string, mode: "record" | "replay" | "auto", key = "my-secret-key"): Promise<SourceUnderTest> {
  const routes = cassette(join(folder, `${name}.json`), { mode });
  const trial = source({ code: pages }, { routes, props: { origin }, accounts: { acme: { key } } });
  await trial.deploy();
  return trial;
}

const read = (name: string): string => readFileSync(join(folder, `${name}.json`), "utf8");

describe("a cassette", () => {
  test("records real exchanges and replays them without the network, and holds no secrets", async () => {
    const recorded = await open("pages", "record");
    await recorded.run({ pages: 2 });
    await recorded.close();
    const before = asked;
    expect(before).toBe(2);
    for (const secret of ["my-secret-key", "fresh-token", "session=abc"]) expect(read("pages")).not.toContain(secret);

    const replayed = await open("pages", "replay");
    await replayed.run({ pages: 2 });
    await replayed.close();
    expect(asked).toBe(before);
    expect(replayed.emits.map(({ event }) => event)).toEqual([[1], [2]]);
    expect(recorded.emits.map(({ event }) => event)).toEqual([[1], [2]]);
  });

  test("recorded with a real account is replayed with a placeholder", async () => {
    const recorded = await open("account", "record");
    await recorded.run({ pages: 1 });
    await recorded.close();
    const replayed = await open("account", "replay", "placeholder");
    await replayed.run({ pages: 1 });
    await replayed.close();
    expect(replayed).toMatchObject({ emits: [{ event: [1] }], errors: [] });
  });

  test("fails on a request that it does not have, and shows the differences", async () => {
    const recorded = await open("drift", "record");
    await recorded.run({ pages: 1 });
    await recorded.close();
    const replayed = await open("drift", "replay");
    const error = await failureOf(replayed.run({ first: 2, pages: 2 }));
    expect(error).toBeInstanceOf(CassetteError);
    expect(error.message).toBe(
      [
        `The cassette has no GET ${origin}/items?page=2&api_key=***.`,
        `The most similar recorded request is GET ${origin}/items?page=1&api_key=***:`,
        '    query page: recorded "1", now "2"',
        `If the component is right, record again: delete ${join(folder, "drift.json")}, or run once with X_CASSETTE=record.`,
      ].join("\n"),
    );
    // Later requests are not reported.
    await replayed.close();
    const twice = await open("drift", "replay");
    await twice.run({ pages: 1 });
    expect((await failureOf(twice.run({ pages: 1 }))).message).toContain(
      "was recorded once, and the component sent it once more",
    );
  });

  test("fails at its end on a recorded request that the component does not make", async () => {
    const recorded = await open("unplayed", "record");
    await recorded.run({ pages: 2 });
    await recorded.close();
    const replayed = await open("unplayed", "replay");
    await replayed.run({ pages: 1 });
    expect((await failureOf(replayed.close())).message).toContain(
      `The component made a request when this was recorded, but not now:\n    GET ${origin}/items?page=2&api_key=***`,
    );
  });

  test("has a number for the endpoint of a source, and replays the present key", async () => {
    const code =
      componentText(`props: { origin: { type: "string" }, http: "$.interface.http" }, hooks: { async activate() {
      const url = this.origin + "/hooks?page=1&to=" + encodeURIComponent(this.http.endpoint);
      const answer = await fetch(url, { method: "POST", body: JSON.stringify({ url: this.http.endpoint }) });
      const { sent } = await answer.json();
      if (JSON.parse(sent).url !== this.http.endpoint) throw new Error("registered " + sent);
    } }, run() {}`);
    const file = join(folder, "endpoint.json");
    for (const mode of ["record", "replay"] as const) {
      const trial = source({ code }, { routes: cassette(file, { mode }), props: { origin } });
      await trial.deploy();
      await trial.close();
      expect(read("endpoint")).not.toContain(trial.endpoints["http"]);
    }
    expect(read("endpoint").match(/in(?:\/|%2F)endpoint-1"/g)).toHaveLength(1);
  });

  test("is not written when an upstream cannot be reached; an existing one stays", async () => {
    const unreachable = async (): Promise<string> => {
      const routes = cassette(join(folder, "whole.json"), { mode: "record" });
      const props = { origin: "http://127.0.0.1:1" };
      const trial = source({ code: pages }, { routes, props, accounts: { acme: { key: "my-secret-key" } } });
      await trial.deploy();
      const { cause } = await failureOf(trial.run({ pages: 1 }));
      await trial.close();
      return String(cause);
    };
    expect(await unreachable()).toMatch(/failed: .+; nothing is recorded/);
    expect(existsSync(join(folder, "whole.json"))).toBe(false);
    const recorded = await open("whole", "record");
    await recorded.run({ pages: 1 });
    await recorded.close();
    const before = read("whole");
    await unreachable();
    expect(read("whole")).toBe(before);
  });

  test("answers equal requests of conformance checks with one recorded answer", async () => {
    const code = componentText(`dedupe: "unique", props: { origin: { type: "string" }, timer: "$.interface.timer" },
    async run() { this.$emit({}, { id: (await (await fetch(this.origin + "/items?page=7")).json()).items[0] }); }`);
    const check = (mode: "record" | "replay") =>
      conformance({ code }, { props: { origin }, routes: cassette(join(folder, "checks.json"), { mode }) });
    const before = asked;
    await check("record");
    expect(asked - before).toBe(1);
    await check("replay");
    expect(asked - before).toBe(1);
  });

  test("is not recorded where CI is set", async () => {
    expect((await failureOf(() => cassette(join(folder, "none.json"), { mode: "replay" }))).message).toContain(
      `There is no cassette ${join(folder, "none.json")}`,
    );
    expect(existsSync(join(folder, "none.json"))).toBe(false);
    expect(chosenMode("auto", { CI: "true" })).toBe("replay");
    expect(chosenMode("auto", { CI: "false" })).toBe("auto");
    expect(chosenMode("auto", { CI: "1", X_CASSETTE: "record" })).toBe("record");
    expect(() => chosenMode("auto", { X_CASSETTE: "yes" })).toThrow("X_CASSETTE must be record, replay or auto");
  });

  test("is a file beside the test that names it", async () => {
    const { message } = await failureOf(() => cassette("three-pages", { mode: "replay" }));
    expect(message).toContain(join(import.meta.dirname, "__cassettes__", "three-pages.json"));
    expect((await failureOf(() => cassette("../up"))).message).toContain("letters, digits, dots and dashes");
  });
});

test("secrets are removed by the names of fields, and by value in every encoding", () => {
  const scrub = createScrub(["p@ss/word 1", "short"], ["pin"]);
  expect(scrub.url("https://u.test/a/p%40ss%2Fword%201?token=x&page=2&q=p%40ss/word+1")).toBe(
    "https://u.test/a/***?token=***&page=2&q=***",
  );
  expect(
    scrub.headers([
      ["X-Api-Key", "k"],
      ["accept", "*/*"],
      ["x-id", "Basic cEBzcy93b3JkIDE="],
    ]),
  ).toEqual([
    ["X-Api-Key", "***"],
    ["accept", "*/*"],
    ["x-id", "Basic ***"],
  ]);
  expect(scrub.body('{"refresh_token":"r","list":[{"pin":1234,"note":"p@ss/word 1 short"}]}')).toBe(
    '{"refresh_token":"***","list":[{"pin":"***","note":"*** short"}]}',
  );
  expect(scrub.body("grant_type=code&client_secret=s&n=1")).toBe("grant_type=code&client_secret=***&n=1");
});
