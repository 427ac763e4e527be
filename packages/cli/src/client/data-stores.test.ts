import type { DataStore, DbEntry } from "@x/client";
import { afterAll, beforeAll, expect, test } from "vitest";

import { runHere } from "../run-here.cases.ts";
import { startServiceHere } from "../serve/service-here.cases.ts";
import { makeFolder } from "../spawned.cases.ts";

let folder: Awaited<ReturnType<typeof makeFolder>>;
let service: Awaited<ReturnType<typeof startServiceHere>>;
const x = (...args: readonly string[]): ReturnType<typeof runHere> =>
  runHere(["data-stores", "--to", service.baseUrl, "--api-key", "k", ...args], { cwd: folder.path });
const json = async <Told>(...args: readonly string[]): Promise<Told> => {
  const { code, out, err } = await x(...args, "--json");
  expect([code, err]).toEqual([0, ""]);
  return JSON.parse(out) as Told;
};

beforeAll(async () => {
  folder = await makeFolder({});
  service = await startServiceHere(folder.path, { apiKey: "k" });
});
afterAll(async () => {
  await service[Symbol.asyncDispose]();
  await folder[Symbol.asyncDispose]();
});

test("S62 a key is set, which makes the data store, read and deleted", async () => {
  expect(await x("ls")).toMatchObject({ code: 0, out: "", err: "(none)\n" });
  expect((await x("set", "shop", "a/b", '{"c":1}')).out).toBe('a/b = {"c":1}\n');
  expect((await x("get", "shop", "a/b")).out).toBe('{\n  "c": 1\n}\n');
  expect(await json("set", "shop", "text", "plain")).toEqual({ key: "text", value: "plain" });
  expect(await json("get", "shop", "text")).toEqual({ key: "text", value: "plain" });
  expect((await x("ls", "shop")).out).toBe('a/b   {"c":1}\ntext  "plain"\n');
  expect((await x("ls")).out).toMatch(/^shop {2}2 keys {2}21 B {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d\n$/);
  expect((await x("rm", "shop", "a/b")).out).toBe("Deleted a/b\n");
  expect(await json("rm", "shop", "text")).toEqual({ name: "shop", key: "text", deleted: true });
  expect(await json<readonly DataStore[]>("ls")).toEqual([]);
});

test("S62 a data store is listed over all pages, and deleted with --all", async () => {
  const values = Array.from({ length: 250 }, (_, n): [string, number] => [`k${String(n).padStart(3, "0")}`, n]);
  await service.runtime.writeDataStore("many", values);
  const entries = await json<readonly DbEntry[]>("ls", "many");
  expect(entries.map(({ key, value }) => [key, value])).toEqual(values);
  expect(await json<readonly DataStore[]>("ls")).toMatchObject([{ name: "many", keys: 250 }]);
  expect(await x("rm", "many")).toMatchObject({
    code: 2,
    err: expect.stringContaining(
      "Give a KEY, or --all to delete the whole data store: x data-stores rm many KEY",
    ) as string,
  });
  expect((await x("rm", "many", "k001", "--all")).code).toBe(2);
  expect((await x("rm", "many", "--all")).out).toBe("Deleted many\n");
  expect(await json<readonly DataStore[]>("ls")).toEqual([]);
});

test("an unknown data store or key, a name that none can have, and misplaced flags are refused", async () => {
  await service.runtime.writeDataStore("customers", [["ann", 1]]);
  for (const args of [
    ["ls", "custmers"],
    ["get", "custmers", "ann"],
    ["rm", "custmers", "--all"],
  ])
    expect(await x(...args)).toMatchObject({
      code: 2,
      err: 'error[not_found]: No data store has the id or name "custmers"; did you mean "customers"?\n',
    });
  for (const command of ["get", "rm"])
    expect(await x(command, "customers", "bob")).toMatchObject({
      code: 2,
      err: expect.stringContaining('No data store key has the id or key "bob"') as string,
    });
  const refused = await x("set", "my shop", "k", "1", "--json");
  expect([refused.code, JSON.parse(refused.out)]).toMatchObject([
    2,
    { error: { code: "invalid_parameter", message: expect.stringContaining("1 to 64 letters") as string } },
  ]);
  expect((await x("ls", "--all")).err).toContain("--all is a flag of x data-stores rm");
  expect((await x("get", "customers")).err).toContain("Which KEY: x data-stores get NAME KEY?");
});
