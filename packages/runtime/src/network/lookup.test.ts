import { expect, test } from "vitest";

import { createLookup, type LookupParts } from "./lookup.ts";

const failed = (code: string): Promise<never> => Promise.reject(Object.assign(new Error(code), { code }));
const system = (host: string) => Promise.resolve([{ address: `system ${host}`, family: 4 }]);
const open = (parts: Partial<LookupParts>) =>
  createLookup({ ask: () => failed("ENOTFOUND"), system, hosts: () => Promise.resolve(""), ...parts });

test("a name is resolved by name servers, for IPv4 and IPv6", async () => {
  const lookup = open({ ask: (host, family) => Promise.resolve([`${host} ${family}`]) });
  expect(await lookup("a.test")).toEqual([
    { address: "a.test 4", family: 4 },
    { address: "a.test 6", family: 6 },
  ]);
  const half = open({ ask: (_, family) => (family === 4 ? Promise.resolve(["1.2.3.4"]) : failed("ENODATA")) });
  expect(await half("a.test")).toEqual([{ address: "1.2.3.4", family: 4 }]);
});

test("names of the machine and its network are looked up by the system", async () => {
  const hosts = "127.0.0.1 localhost\n10.0.0.1\tDB.test db # old.test\n";
  const lookup = open({ ask: () => Promise.resolve(["asked"]), hosts: () => Promise.resolve(hosts) });
  for (const host of ["localhost", "x.localhost", "printer.local", "db", "db.test", "Db.Test."])
    expect(await lookup(host)).toEqual([{ address: `system ${host}`, family: 4 }]);
  for (const host of ["old.test", "10.test"]) expect((await lookup(host))[0]?.address).toBe("asked");
});

test("the system looks up a name that the name servers do not know, but not after they did not answer", async () => {
  for (const code of ["ENOTFOUND", "ENODATA", "ECONNREFUSED"])
    expect(await open({ ask: () => failed(code) })("a.test")).toEqual([{ address: "system a.test", family: 4 }]);
  for (const code of ["ETIMEOUT", "ESERVFAIL"])
    await expect(open({ ask: () => failed(code) })("a.test")).rejects.toMatchObject({
      message: "getaddrinfo EAI_AGAIN a.test",
      code: "EAI_AGAIN",
      hostname: "a.test",
    });
});

test("the system looks up two names at a time, each once, and blocks no other lookups", async () => {
  const asked: string[] = [];
  const answers = new Map<string, () => void>();
  const lookup = open({
    ask: (host) => (host === "well.test" ? Promise.resolve(["1.2.3.4"]) : failed("ENOTFOUND")),
    system: (host) => {
      asked.push(host);
      return new Promise((resolve) => answers.set(host, () => resolve([])));
    },
  });
  const waiting = ["a", "b", "c", "a", "c"].map(lookup);
  await lookup("well.test");
  expect(asked).toEqual(["a", "b"]);
  answers.get("a")?.();
  expect(await waiting[0]).toEqual(await waiting[3]);
  expect(asked).toEqual(["a", "b", "c"]);
  answers.get("b")?.();
  answers.get("c")?.();
  await Promise.all(waiting);
});
