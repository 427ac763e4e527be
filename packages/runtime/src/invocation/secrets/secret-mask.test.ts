import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Component, Source } from "../../../../model/src/model.ts";
import { componentText, openTrial, type Trial } from "../../runtime.cases.ts";
import { atOnce } from "../../../../model/src/process/slices.ts";
import { createSecretMasks, secretMask, type SecretMask } from "./secret-mask.ts";

let trial: Trial;
const token = 'sk-"quoted"-0123456789';
const key = "oauth-abcdef-1234";
beforeAll(async () => {
  trial = await openTrial({ accounts: () => ({ oauth_access_token: key, nested: [{ pin: "987654" }], short: "abc" }) });
});
afterAll(() => trial.runtime.close());

const props = `props: { token: { type: "string", secret: true }, list: { type: "string[]", secret: true, optional: true },
  open: "string", app: { type: "app", app: "demo" } },`;
const given = { token, open: "plain-value", list: ["list-item-one", "tiny"], app: { authProvisionId: "apn_1" } };

describe("S16 secrets", () => {
  it("G33 are masked in views, and readable by the component", async () => {
    const view = await trial.deploy(componentText(`${props} run() { this.$emit(this.token) },`), given);
    expect(view.configuredProps).toMatchObject({
      token: { __secret: true },
      list: { __secret: true },
      open: "plain-value",
      app: { authProvisionId: "apn_1" },
    });
    await trial.runtime.invoke(view.source.id);
    expect(await trial.payloads(view.source.id)).toEqual([token]);
    const kept = await trial.runtime.update(view.source.id, { props: { token: { __secret: true } } });
    expect(kept.source.configuredProps["token"]).toBe(token);
  });

  it("are masked in the event of a failed run", async () => {
    const { source } = await trial.deploy(componentText(`${props} run() { throw new Error("on purpose") },`), given);
    const event = { headers: { authorization: `Bearer ${key}` }, [token]: [987_654, "plain-value"], body: token };
    await trial.runtime.invoke(source.id, { event });
    const [record] = await trial.payloads(source.id, "$errors");
    expect(record).toMatchObject({
      original_event: { headers: { authorization: "Bearer ***" }, "***": ["***", "plain-value"], body: "***" },
    });
  });

  it("are masked in logs: texts, values, keys and numbers, quoted too", async () => {
    const { source } = await trial.deploy(
      componentText(
        `${props} run() {
          console.log("token " + this.token, { token: this.token, [this.list[0]]: 1, json: JSON.stringify([this.token]) });
          console.error(this.app.$auth, 987654, 19876541);
        },`,
      ),
      given,
    );
    const { logs } = await trial.runtime.invoke(source.id);
    expect(logs.map(({ data }) => data)).toEqual([
      ["token ***", { token: "***", "***": 1, json: '["***"]' }],
      [{ oauth_access_token: "***", nested: [{ pin: "***" }], short: "abc" }, "***", "1***1"],
    ]);
    const text = JSON.stringify([logs, await trial.payloads(source.id, "$logs")]);
    for (const secret of ["sk-", key, "987654", "list-item-one"]) expect(text).not.toContain(secret);
  });

  it("are masked in errors: name, message and stack, of the answer and of the record", async () => {
    const { source } = await trial.deploy(
      componentText(
        `${props} run() { const error = new Error("bad " + this.token + " and " + this.app.$auth.oauth_access_token); error.name = this.token; throw error; },`,
      ),
      given,
    );
    const { error } = await trial.runtime.invoke(source.id);
    expect(error).toMatchObject({ name: "***", message: "bad *** and ***" });
    const text = JSON.stringify([
      error,
      await trial.payloads(source.id, "$errors"),
      await trial.payloads(source.id, "$logs"),
    ]);
    for (const secret of ["sk-", key]) expect(text).not.toContain(secret);
  });

  it("are masked in the error of a failed hook", async () => {
    const code = componentText(
      `${props} hooks: { deploy() { console.log(this.token); throw new Error(this.token) } }, run() {},`,
    );
    const failure: unknown = await trial.deploy(code, given).catch((error: unknown) => error);
    expect(failure).toMatchObject({ code: "hook_failed" });
    const { message, details } = failure as { message: string; details: object };
    expect(message).toContain("***");
    expect(message + JSON.stringify(details)).not.toContain("sk-");
  });

  it("secrets shorter than six characters are not masked, nor is a source without secrets", async () => {
    const code = componentText(
      `props: { token: { type: "string", secret: true } }, run() { console.log(this.token, "plain ***") },`,
    );
    const { source } = await trial.deploy(code, { token: "tiny" });
    const { logs } = await trial.runtime.invoke(source.id);
    expect(logs[0]?.msg).toBe("tiny plain ***");
  });

  it("are masked when they are numbers", async () => {
    const code = componentText(
      `props: { pin: { type: "integer", secret: true } }, run() { console.log("pin " + this.pin, { pin: this.pin }) },`,
    );
    const { source } = await trial.deploy(code, { pin: 91827364 });
    const { logs } = await trial.runtime.invoke(source.id);
    expect(JSON.stringify(logs)).toContain("pin ***");
    expect(JSON.stringify(logs)).not.toContain("91827364");
  });

  it("are masked in base64, hex, JSON and URLs, at any position of the encoded data", async () => {
    const secret = 'pass"wörd/+ÿ~1';
    const [utf8, json] = [Buffer.from(secret), JSON.stringify(secret).slice(1, -1)];
    const encoded = [
      ...["", "a", "ab", "abc"].flatMap((before) => {
        const text = Buffer.from(`${before}${secret}:rest`);
        return [text.toString("base64"), text.toString("base64url")];
      }),
      `x${utf8.toString("base64")}`,
      `${utf8.toString("hex")} ${utf8.toString("hex").toUpperCase()} 0${utf8.toString("hex")}`,
      `${json} ${JSON.stringify(json)} ${JSON.stringify(JSON.stringify([Buffer.from(secret).toString("base64")]))}`,
      `?a=${encodeURIComponent(secret)}&b=${encodeURIComponent(utf8.toString("base64"))}`,
      `?${new URLSearchParams({ secret }).toString()}`,
    ];
    const code = componentText(
      `props: { token: { type: "string", secret: true }, encoded: "string[]" }, run() {
        for (const text of this.encoded) console.log(text);
        throw new Error(this.encoded.join(" ")) },`,
    );
    const { source } = await trial.deploy(code, { token: secret, encoded });
    const { logs, error } = await trial.runtime.invoke(source.id);
    const shown = logs.flatMap(({ k, msg }) => (k === "err" ? [] : [msg ?? ""]));
    expect(shown).toHaveLength(encoded.length);
    expect(shown.slice(0, 9)).toEqual(
      expect.arrayContaining([expect.stringMatching(/^\*\*\*.{3,10}$/), expect.stringMatching(/^Y.*\*\*\*.{3,10}$/)]),
    );
    expect(shown.slice(9)).toEqual(["*** *** 0***", '*** "***" "[\\"***\\"]"', "?a=***&b=***", "?secret=***"]);
    expect(shown.every((text) => text.includes("***"))).toBe(true);
    expect(error?.message).toBe(shown.join(" "));
  });

  it("are masked in observed requests", async () => {
    const calls: string[] = [];
    const watched = await openTrial({
      network: { exchange: () => Promise.resolve({ status: 200, headers: [], body: new Uint8Array(0) }) },
      observe: (observed) => void calls.push(...observed.calls.map(({ url }) => url)),
    });
    const code = componentText(
      `props: { token: { type: "string", secret: true } },
      async run() { await fetch("https://a.test/?key=" + encodeURIComponent(this.token)) },`,
    );
    const { source } = await watched.deploy(code, { token });
    await watched.runtime.invoke(source.id);
    await watched.runtime.close();
    expect(calls).toEqual(["https://a.test/?key=***"]);
  });

  it("200,000 secrets are masked, and prepared once", () => {
    const auth = { app: { tokens: Array.from({ length: 200_000 }, (_, index) => `sk_live_${index}_end`) } };
    const component = { shape: { props: [] } } as unknown as Component;
    const source = { configuredProps: {} } as unknown as Source;
    const masks = createSecretMasks();
    const mask = masks.of(component, source, { ...auth });
    expect(mask.text("a sk_live_199999_end b sk_live_200000_end")).toBe("a *** b sk_live_200000_end");
    expect(masks.of(component, source, { ...auth })).toBe(mask);
    expect(masks.of(component, source, { app: { tokens: [] } })).not.toBe(mask);
  });

  const maskOf = (secrets: readonly string[]): SecretMask => {
    const component = { shape: { props: [] } } as unknown as Component;
    return secretMask(component, { configuredProps: {} } as unknown as Source, { app: [...secrets] });
  };

  it.each([
    ["a text", JSON.stringify(`${"a".repeat(11 * 1024 * 1024)} aaaaaa`)],
    ["a text with escapes", JSON.stringify(`${String.raw`\\"`.repeat(3 * 1024 * 1024)} aaaaaa`)],
    ["a list of lists", `[${"[],".repeat(250_000)}"aaaaaa"]`],
    ["a list of texts", `[${'"b",'.repeat(250_000)}"aaaaaa"]`],
  ])("%s that takes too long is hidden as a whole when a secret may be in it", (_, json) => {
    expect(atOnce(maskOf(["aaaaaa"]).json(json))).toBe('"***"');
  });

  it("of an event with many texts only those are hidden that take too long, and no secret is shown", () => {
    const secrets = Array.from({ length: 1_000 }, (_, n) => `secret-${n}-end`);
    const texts = Array.from({ length: 150_000 }, (_, n) => (n % 3 === 0 ? `plain ${n}` : `a secret-${n % 1_000}-end`));
    const masked = JSON.parse(atOnce(maskOf(secrets).json(JSON.stringify(texts)))) as string[];
    expect(masked.filter((_, n) => n % 3 === 0)).toEqual(texts.filter((_, n) => n % 3 === 0));
    expect(new Set(masked.filter((_, n) => n % 3 !== 0))).toEqual(new Set(["a ***", "***"]));
  });
});
