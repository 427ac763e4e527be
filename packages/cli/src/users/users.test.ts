import { expect, test } from "vitest";

import { runHere } from "../run-here.cases.ts";
import { startServiceHere } from "../serve/service-here.cases.ts";
import { makeFolder } from "../spawned.cases.ts";

interface Keyed {
  readonly id: string;
  readonly username: string;
  readonly api_key: string;
}

test("users of a folder that no service has are added, listed and given new keys", async () => {
  await using folder = await makeFolder();
  const x = (...args: readonly string[]) => runHere(["users", ...args, "--data", "data"], { cwd: folder.path });

  const nothing = await x("list");
  expect([nothing.code, nothing.out]).toEqual([4, ""]);
  expect(nothing.err).toBe("error: there is no data in data; x serve creates it, or set --data to another folder\n");

  const added = await x("add", "acme", "--billing", "2026-11-01..2026-12-01", "--email", "a@acme.test", "--json");
  const acme = JSON.parse(added.out) as Keyed & { first_user: Keyed };
  expect([added.code, acme]).toMatchObject([
    0,
    {
      username: "acme",
      email: "a@acme.test",
      billing_period_start_ts: Date.UTC(2026, 10, 1) / 1000,
      billing_period_end_ts: Date.UTC(2026, 11, 1) / 1000,
      api_key: expect.stringMatching(/^\w{40}$/) as string,
      first_user: { username: "local", api_key: expect.stringMatching(/^\w{40}$/) as string },
    },
  ]);

  const rotated = await x("rotate", "acme");
  const [, key = ""] = /^API key \(shown only now, keep it\): (\S+)$/m.exec(rotated.out) ?? [];
  expect([rotated.code, key.length, key === acme.api_key]).toEqual([0, 40, false]);

  const taken = await x("add", "acme");
  expect([taken.code, taken.err]).toEqual([
    2,
    'error[username_taken]: The username "acme" is taken; choose another.\n',
  ]);

  const listed = await x("list");
  expect(listed.out).toBe(
    `local  ${acme.first_user.id}  local@localhost\nacme  ${acme.id}  a@acme.test  billed 2026-11-01..2026-12-01\n`,
  );
});

test("while a service has the folder, the error names the command for the service, which works", async () => {
  await using folder = await makeFolder();
  await using service = await startServiceHere(folder.path, { apiKey: "first-key" });
  const url = service.baseUrl;
  const x = (...args: readonly string[]) => runHere(["users", ...args], { cwd: folder.path });

  const locked = await x("add", "alice", "--email", "o'hara@example.test", "--data", "data");
  expect([locked.code, locked.out]).toEqual([4, ""]);
  expect(locked.err).toMatch(/^error\[store_locked\]: The store in \S+ is in use by another process or runtime\.\n/);
  expect(locked.err).toContain(
    String.raw`  x users add alice --email 'o'\''hara@example.test' --to http://127.0.0.1:7777 --api-key KEY`,
  );

  const byUrl = ["--to", url, "--api-key", "first-key"];
  const added = await x("add", "alice", "--json", ...byUrl);
  const alice = JSON.parse(added.out) as Keyed;
  const ask = async (key: string): Promise<number> =>
    (await fetch(`${url}/users/me`, { headers: { authorization: `Bearer ${key}` } })).status;
  expect([added.code, await ask(alice.api_key)]).toEqual([0, 200]);

  const rotated = await x("rotate", "alice", "--json", ...byUrl);
  const { api_key: key } = JSON.parse(rotated.out) as Keyed;
  expect([await ask(alice.api_key), await ask(key)]).toEqual([401, 200]);

  const foreign = await x("list", "--url", url, "--api-key", key);
  expect([foreign.code, foreign.err]).toEqual([2, expect.stringContaining("only the first user of") as string]);
  const unknown = await x("rotate", "nobody", "--json", ...byUrl);
  expect(unknown.out).toMatch(/^[^\n]+\n$/);
  expect([unknown.code, JSON.parse(unknown.out)]).toMatchObject([2, { error: { code: "not_found" }, exit_code: 2 }]);
});
