import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, afterEach, beforeEach, expect, test } from "vitest";

import { XError } from "../../../model/src/errors.ts";
import { type Logger, silentLogger } from "../../../model/src/logger.ts";
import { rotateSecret, rotateSecretKey } from "./rotate-secret-key.ts";
import type { Change, Store } from "../contract.ts";
import {
  exampleAccount,
  exampleApp,
  exampleSource,
  exampleTransition,
  exampleUser,
  exampleWebhook,
} from "../conformance/examples.cases.ts";
import { openSealedStore } from "./open-sealed.ts";
import { openSqliteStore } from "../sqlite/sqlite.ts";

let folder: string;
let keyFile: string;
let nextFile: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "x-rotated-"));
  keyFile = join(folder, "x.key");
  nextFile = join(folder, "x.key.next");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const user = exampleUser("u_1", { apiKey: "SECRET-api-key-1" });
const webhook = exampleWebhook("wh_1", { signingKey: "whsec_SECRETsigning" });
const accounts = Array.from({ length: 101 }, (_, n) =>
  exampleAccount(`apn_${n}`, { auth: { token: `SECRET-credentials-${n}` } }),
);
const sources = ["dc_1", "p_2"].map((id) => exampleSource(id, { configuredProps: { token: `SECRET-${id}` } }));
const changing = exampleSource("dc_1", { configuredProps: { token: "SECRET-of-a-change" } });
const transition = exampleTransition("dc_1", { source: changing, running: false });
const records: Change[] = [
  { op: "user.put", user },
  { op: "webhook.put", webhook },
  ...accounts.map((account): Change => ({ op: "account.put", account })),
  ...sources.map((source): Change => ({ op: "source.put", source })),
  { op: "transition.put", transition },
  { op: "app.put", app: exampleApp("acme", { clientSecret: "SECRET-of-a-client" }) },
];

async function withStore<T>(
  secretKey: string | undefined,
  use: (store: Store, engine: Store) => Promise<T>,
): Promise<T> {
  const engine = await openSqliteStore({ folder });
  try {
    return await use(await openSealedStore(engine, { folder, secretKey, logger: silentLogger }), engine);
  } finally {
    await engine.close();
  }
}

const filled = new Map<string | undefined, string>();
afterAll(() => {
  for (const path of filled.values()) rmSync(path, { recursive: true });
});

/** Fills the folder as a start with this key does; each is a copy of the first. */
async function fill(secretKey?: string): Promise<void> {
  const copy = filled.get(secretKey) ?? mkdtempSync(join(tmpdir(), "x-rotated-"));
  if (!filled.has(secretKey)) {
    filled.set(secretKey, copy);
    await withStore(secretKey, (store) => store.commit(records));
    cpSync(folder, copy, { recursive: true });
  }
  cpSync(copy, folder, { recursive: true });
}

const refusal = (promise: Promise<unknown>): Promise<unknown> =>
  promise.then(
    () => "opened",
    (error: unknown) => (XError.is(error) ? error.code : error),
  );
const opening = (engine: Store, secretKey?: string): Promise<unknown> =>
  refusal(openSealedStore(engine, { folder, secretKey, logger: silentLogger }));

/** Opens it and reads all of it; then `after` may try the data with other keys. */
async function expectEverything(secretKey?: string, after?: (engine: Store) => Promise<void>): Promise<void> {
  await withStore(secretKey, async (store, engine) => {
    expect(await store.users()).toEqual([user]);
    expect(await store.allWebhooks()).toEqual([webhook]);
    expect(await store.transitions()).toEqual([transition]);
    for (const source of sources) expect(await store.source(source.id)).toEqual(source);
    for (const account of accounts) expect(await store.account(account.id)).toEqual(account);
    await after?.(engine);
  });
}

/** What is sealed in the data file. */
const sealedTexts = (): string[] => readFileSync(join(folder, "x.db"), "latin1").match(/sealed\.1\.[\w-]{20,}/g) ?? [];

const first = "a1".repeat(32);
const second = "5f".repeat(32);

test("G33 a new key file replaces the old one, and the data file contains nothing encrypted with the old key", async () => {
  await fill();
  const before = { key: readFileSync(keyFile, "utf8"), texts: sealedTexts() };
  expect(before.texts.length).toBeGreaterThan(100);
  expect(await rotateSecretKey({ data: folder })).toBe("file");
  expect(readFileSync(keyFile, "utf8")).not.toBe(before.key);
  expect(statSync(keyFile).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder).filter((name) => name.startsWith("x.key"))).toEqual(["x.key"]);
  const after = new Set(sealedTexts());
  expect(before.texts.filter((text) => after.has(text))).toEqual([]);
  await expectEverything(undefined, async (engine) => {
    writeFileSync(keyFile, before.key);
    expect(await opening(engine)).toBe("secret_key_wrong");
  });
});

test.each<[string, string | undefined, string | undefined]>([
  ["from the file to a key", undefined, first],
  ["from a passphrase to a key", "a passphrase", second],
  ["from a key to the file", second, undefined],
])("G33 the key changes %s", async (_, before, after) => {
  await fill(before);
  expect(await rotateSecretKey({ data: folder, secretKey: before, newSecretKey: after })).toBe(
    after === undefined ? "file" : "given",
  );
  expect(existsSync(keyFile)).toBe(after === undefined);
  await expectEverything(after, async (engine) => {
    expect(await opening(engine, before)).toMatch(/^secret_key_(?:wrong|missing)$/);
  });
});

test("G33 a change needs the old key, and an invalid new key changes nothing", async () => {
  await fill(first);
  expect(await refusal(rotateSecretKey({ data: folder, newSecretKey: second }))).toBe("secret_key_missing");
  expect(await refusal(rotateSecretKey({ data: folder, secretKey: second, newSecretKey: first }))).toBe(
    "secret_key_wrong",
  );
  expect(await refusal(rotateSecretKey({ data: folder, secretKey: first, newSecretKey: "short" }))).toBe(
    "invalid_options",
  );
  expect(readdirSync(folder).filter((name) => name.startsWith("x.key"))).toEqual([]);
  await expectEverything(first);
});

test("a folder without data is refused and unchanged", async () => {
  expect(await refusal(rotateSecretKey({ data: folder }))).toBe("invalid_options");
  expect(readdirSync(folder)).toEqual([]);
});

/** Rotates with an engine that ends at that step, as a process does that is killed. */
async function endAt(step: "commit" | "committed", secretKey?: string): Promise<void> {
  const killed = new Error("killed");
  await withStore(secretKey, async (_, engine) => {
    const ending: Store = {
      ...engine,
      async commit(changes) {
        if (step === "committed") await engine.commit(changes);
        throw killed;
      },
    };
    const rotation = { folder, secretKey, newSecretKey: undefined, logger: silentLogger };
    await expect(rotateSecret(ending, rotation)).rejects.toBe(killed);
  });
  expect(existsSync(nextFile)).toBe(true);
}

test("G33 killed before the commit, the old key opens the folder, and the new key file is removed", async () => {
  await fill();
  const key = readFileSync(keyFile, "utf8");
  await endAt("commit");
  await expectEverything();
  expect(readFileSync(keyFile, "utf8")).toBe(key);
  expect(existsSync(nextFile)).toBe(false);
});

test.each([
  ["the file", undefined],
  ["a key that was given", first],
])("G33 killed after the commit, the new key file replaces %s", async (_, before) => {
  await fill(before);
  const texts = sealedTexts();
  await endAt("committed", before);
  const key = readFileSync(nextFile, "utf8");
  await expectEverything();
  expect(readFileSync(keyFile, "utf8")).toBe(key);
  expect(existsSync(nextFile)).toBe(false);
  // What the commit left in the data file is swept by that start.
  const after = new Set(sealedTexts());
  expect(texts.filter((text) => after.has(text))).toEqual([]);
});

test("the file of an uncommitted change does not prevent the next change", async () => {
  await fill(first);
  await endAt("commit", first);
  expect(await rotateSecretKey({ data: folder, secretKey: first })).toBe("file");
  await expectEverything(undefined, async (engine) => {
    expect(await opening(engine, first)).toBe("secret_key_wrong");
  });
});

test("a failed sweep is logged", async () => {
  await fill();
  const warnings: string[] = [];
  const logger: Logger = { ...silentLogger, warn: (message) => void warnings.push(message) };
  await withStore(undefined, async (_, engine) => {
    const sweep = (): Promise<void> => Promise.reject(new Error("the disk is full"));
    await rotateSecret({ ...engine, sweep }, { folder, secretKey: undefined, newSecretKey: undefined, logger });
  });
  expect(warnings).toEqual([expect.stringContaining("the next start removes them")]);
  await expectEverything();
});
