import { mkdtemp, readdir, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, afterEach, beforeEach, expect, test } from "vitest";

import { Webhook as Verifier } from "standardwebhooks";

import { manualClock } from "@x/runtime";

import { type Receiver, startReceiver } from "../../packages/runtime/src/webhooks/receiver.cases.ts";
import { apiKey, component, type Data, type Service, type SourceBody, startService } from "./fixture.ts";
import type { WebhookBody } from "./webhook-bodies.ts";

let data: string;
const receiver: Promise<Receiver> = startReceiver();
beforeEach(async () => {
  data = await mkdtemp(join(tmpdir(), "x-secrets-"));
});
afterEach(() => rm(data, { recursive: true, force: true }));
afterAll(async () => (await receiver).close());

const prop = "SECRET-value-of-a-prop";
const token = "SECRET-token-of-an-account";

const code = component({
  name: "Keeper",
  props: `token: { type: "string", secret: true }, acme: { type: "app", app: "acme" }`,
  run: "this.$emit([this.token.length, this.acme.$auth.token.length]); console.log(this.token, this.acme.$auth)",
});

interface Kept {
  readonly source: SourceBody;
  readonly account: string;
  readonly webhook: WebhookBody;
}

async function during<T>(act: (service: Service) => Promise<T>, secretKey?: string): Promise<T> {
  // Receivers check signatures against the real time.
  const clock = manualClock(Date.now());
  await using service = await startService({ data, clock, ...(secretKey !== undefined && { secretKey }) });
  return await act(service);
}

/** A secret prop, an account, and a webhook whose key was rotated once. */
async function makeSecrets(service: Service): Promise<Kept> {
  const made = await service.call<Data<{ id: string }>>("POST", "/accounts", { app: "acme", auth: { token } });
  const configured = { token: prop, acme: { authProvisionId: made.body.data.id } };
  const body = { component_code: code, configured_props: configured };
  const source = (await service.call<Data<SourceBody>>("POST", "/sources", body)).body.data;
  const { url } = await receiver;
  const webhook = (await service.call<Data<WebhookBody>>("POST", "/webhooks", { url: `${url}/kept` })).body.data;
  await service.call("POST", "/subscriptions", { emitter_id: source.id, listener_id: webhook.id });
  const rotated = await service.call<Data<WebhookBody>>("POST", `/webhooks/${webhook.id}/rotate_key`);
  await service.call("POST", `/sources/${source.id}/run`, {});
  await service.runtime.idle();
  return { source, account: made.body.data.id, webhook: rotated.body.data };
}

/** Every file of the folder but the key, as bytes. */
async function storedBytes(): Promise<Buffer> {
  const names = (await readdir(data)).filter((name) => name !== "x.key");
  expect(names).toContain("x.db");
  return Buffer.concat(await Promise.all(names.map((name) => readFile(join(data, name)))));
}

test("G33 no secret is in the data file or its write-ahead log, while it runs and afterwards", async () => {
  const { webhook, old } = await during(async (service) => {
    const kept = await makeSecrets(service);
    const before = (await service.call<Data<WebhookBody>>("POST", `/webhooks/${kept.webhook.id}/rotate_key`)).body.data;
    await service.call("PUT", `/accounts/${kept.account}`, { auth: { token: `${token}-2` } });
    const bytes = await storedBytes();
    // The write-ahead log exists, and contains a value that is not secret.
    expect((await readFile(join(data, "x.db-wal"))).byteLength).toBeGreaterThan(0);
    expect(bytes.includes(kept.source.id)).toBe(true);
    for (const secret of ["SECRET", apiKey, kept.webhook.signing_key ?? "", before.signing_key ?? ""]) {
      expect(secret.length).toBeGreaterThan(5);
      expect(bytes.includes(secret), secret).toBe(false);
    }
    return { webhook: before, old: kept.webhook };
  });
  const bytes = await storedBytes();
  expect(bytes.includes(webhook.id)).toBe(true);
  for (const secret of ["SECRET", apiKey, webhook.signing_key ?? "", old.signing_key ?? ""]) {
    expect(bytes.includes(secret), secret).toBe(false);
  }
});

test.each([
  ["the key file", undefined],
  ["a passphrase", "a passphrase for the tests"],
])("G33 after a restart with %s secret props, accounts and signing keys work as before", async (_, secretKey) => {
  const { received } = await receiver;
  const kept = await during(makeSecrets, secretKey);
  received.length = 0;
  await during(async (service) => {
    const path = `/sources/${kept.source.id}`;
    const shown = await service.call<Data<SourceBody>>("GET", path);
    expect(shown.body.data.configured_props).toEqual({
      token: { __secret: true },
      acme: { authProvisionId: kept.account },
    });
    const marker = { component_code: code, configured_props: { token: { __secret: true } } };
    expect((await service.call("PUT", path, marker)).status).toBe(200);
    await service.call("POST", `${path}/run`, {});
    await service.runtime.idle();
    const runs = await service.call<Data<{ event: unknown }[]>>("GET", `${path}/event_summaries?expand=event`);
    const lengths = [prop.length, token.length];
    expect(runs.body.data.map(({ event }) => event)).toEqual([lengths, lengths]);
    const logs = JSON.stringify((await service.call("GET", `${path}/logs`)).body);
    expect(logs).toContain("***");
    expect(logs).not.toContain("SECRET");
  }, secretKey);
  const [delivery] = received.filter(({ path }) => path === "/kept");
  if (!delivery) throw new Error("a delivery was to come");
  const headers = delivery.headers as Record<string, string>;
  const { signing_key: key = "" } = kept.webhook;
  expect(new Verifier(key).verify(delivery.body, headers)).toEqual([prop.length, token.length]);
});

test("G33 another key does not open the folder, and the right key still does", async () => {
  const key = "5f".repeat(32);
  const { source } = await during(makeSecrets, key);
  const refused = during(() => Promise.resolve(), "6f".repeat(32));
  await expect(refused).rejects.toMatchObject({ code: "secret_key_wrong" });
  await expect(during(() => Promise.resolve())).rejects.toMatchObject({ code: "secret_key_missing" });
  const too = during(() => Promise.resolve(), "too short");
  await expect(too).rejects.toMatchObject({ code: "invalid_options" });
  const status = await during(
    async (service) => (await service.call("POST", `/sources/${source.id}/run`, {})).status,
    key,
  );
  expect(status).toBe(200);
});
