import { once } from "node:events";
import { readdir, readFile, rm } from "node:fs/promises";
import { join } from "node:path";

import { expect, test } from "vitest";

import { runHere, startHere } from "../run-here.cases.ts";
import { makeFolder, runX, spawnX } from "../spawned.cases.ts";

const apiKey = "SECRET-api-key";
const passphrase = "SECRET passphrase of the service";
const inherited = { X_API_KEY: apiKey, X_SECRET_KEY: passphrase };

const keeper = `export default {
  name: "Keeper", version: "1",
  props: { http: "$.interface.http", token: { type: "string", secret: true }, acme: { type: "app", app: "acme" } },
  hooks: { deploy() { console.log("deployed with", this.token); } },
  run() { console.error(this.token, this.acme.$auth); throw new Error("denied: " + this.token + this.acme.$auth.token); },
};`;

async function ask<T>(url: string, method: string, path: string, body?: object): Promise<T> {
  const response = await fetch(url + path, {
    method,
    headers: { authorization: `Bearer ${apiKey}`, "content-type": "application/json" },
    ...(body && { body: JSON.stringify(body) }),
  });
  const text = await response.text();
  expect(response.status, text).toBe(200);
  return JSON.parse(text) as T;
}

test("G33 no secret is in the log, the data file or its write-ahead log, also not after kill -9", async () => {
  await using folder = await makeFolder();
  const data = join(folder.path, ".x");
  await using x = spawnX(["serve", "--port", "0", "--json-logs"], { cwd: folder.path, env: inherited });
  const [, url = ""] = await x.printed(/"base_url":"([^"]+)"/);
  const auth = { token: "SECRET-token-of-the-account" };
  const account = await ask<{ data: { id: string } }>(url, "POST", "/accounts", { app: "acme", auth });
  const webhook = await ask<{ data: { id: string; signing_key: string } }>(url, "POST", "/webhooks", {
    url: "http://127.0.0.1:9/",
  });
  const source = await ask<{ data: { id: string } }>(url, "POST", "/sources", {
    component_code: keeper,
    configured_props: { token: "SECRET-token-of-a-prop", acme: { authProvisionId: account.data.id } },
  });
  const triple = { emitter_id: source.data.id, listener_id: webhook.data.id, event_name: "$errors" };
  await ask(url, "POST", "/subscriptions", triple);
  const run = await ask<{ data: { error: { message: string } } }>(url, "POST", `/sources/${source.data.id}/run`, {});
  expect(run.data.error.message).toBe("denied: ******");
  while (!x.err().includes("a run failed")) await once(x.child.stderr ?? x.child, "data");
  x.child.kill("SIGKILL");
  await x.exit;

  const files = await Promise.all((await readdir(data)).map((name) => readFile(join(data, name))));
  const stored = Buffer.concat(files);
  const said = x.out() + x.err();
  expect(said).toContain("denied: ******");
  for (const id of [source.data.id, account.data.id, webhook.data.id]) expect(stored.includes(id)).toBe(true);
  for (const secret of ["SECRET", webhook.data.signing_key]) {
    expect(said).not.toContain(secret);
    expect(stored.includes(secret)).toBe(false);
  }

  // The flag is before the environment.
  const other = ["serve", "--port", "0", "--secret-key", "not that passphrase"];
  const { code, out, err } = await runX(other, { cwd: folder.path, env: inherited });
  expect([code, out]).toEqual([4, ""]);
  expect(err).toMatch(/^error\[secret_key_wrong\]: [^\n]+X_SECRET_KEY[^\n]+\n$/);
});

test("G33 a secret key that is too short is refused in one line, before anything is made", async () => {
  await using folder = await makeFolder();
  const { code, out, err } = await runHere(["serve", "--port", "0", "--secret-key", "short"], { cwd: folder.path });
  expect([code, out]).toEqual([2, ""]);
  expect(err).toMatch(/^error\[invalid_options\]: Option "secretKey" must be 32 bytes [^\n]+, got 5 characters\.\n$/);
  expect(await readdir(folder.path)).toEqual([]);
});

test("G33 without a secret key the first start makes a key file, and no other start goes without it", async () => {
  await using folder = await makeFolder();
  const data = join(folder.path, ".x");
  await using x = startHere(["serve", "--port", "0"], { cwd: folder.path });
  await x.printed(/^Serving/m);
  x.hear("SIGTERM");
  expect([await x.exit, x.err()]).toEqual([0, ""]);
  await rm(join(data, "x.key"));
  const { code, err } = await runHere(["serve", "--port", "0"], { cwd: folder.path });
  expect([code, err]).toEqual([4, expect.stringMatching(/^error\[secret_key_missing\]: [^\n]+x\.key[^\n]+\n$/)]);
  expect(await readdir(data)).not.toContain("x.key");
});
