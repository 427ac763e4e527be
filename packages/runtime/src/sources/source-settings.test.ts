import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { DeployInput } from "../api/api.ts";
import { openTrial, runText, type Trial } from "../runtime.cases.ts";
import { readSettings } from "./source-settings.ts";

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial();
});
afterAll(() => trial.runtime.close());

const whole = { runTimeoutMs: 1_000, memoryBytes: 2 ** 25, dedupeCacheSize: 5, warm: true, transactional: false };
const known = "one of runTimeoutMs, memoryBytes, dedupeCacheSize, warm, transactional, exactIntegers, executions";

describe("settings", () => {
  it("are returned unchanged, without undefined ones", () => {
    expect(readSettings(whole)).toEqual(whole);
    expect(Object.keys(readSettings({ warm: undefined, dedupeCacheSize: 1 }))).toEqual(["dedupeCacheSize"]);
    expect(readSettings(undefined)).toEqual({});
  });

  it.each<[given: unknown, message: string]>([
    [{ runTimeoutMs: "5s" }, `Parameter "settings.runTimeoutMs" must be a positive integer, got "5s".`],
    [{ runTimeoutMs: 0 }, `Parameter "settings.runTimeoutMs" must be a positive integer, got 0.`],
    [{ runTimeoutMs: Number.NaN }, `Parameter "settings.runTimeoutMs" must be a positive integer, got NaN.`],
    [
      { memoryBytes: 1e12 },
      `"settings.memoryBytes" must be a positive integer of at most 4294967296, got 1000000000000.`,
    ],
    [{ dedupeCacheSize: 1.5 }, `Parameter "settings.dedupeCacheSize" must be a positive integer, got 1.5.`],
    [{ dedupeCacheSize: [100] }, `Parameter "settings.dedupeCacheSize" must be a positive integer, got a list.`],
    [{ warm: "yes" }, `Parameter "settings.warm" must be true or false, got "yes".`],
    [{ transactional: null }, `Parameter "settings.transactional" must be true or false, got null.`],
    [
      { runTimeout: 5 },
      `Parameter "settings.runTimeout" must be ${known} (did you mean "runTimeoutMs"?), got an unknown name.`,
    ],
    [{ ["__proto__"]: 5 }, `Parameter "settings.__proto__" must be ${known}, got an unknown name.`],
    [[], `Parameter "settings" must be an object with settings, got a list.`],
    ["warm", `Parameter "settings" must be an object with settings, got "warm".`],
    [null, `Parameter "settings" must be an object with settings, got null.`],
  ])("%o are refused", (given, message) => {
    expect(() => readSettings(given)).toThrow(message);
  });

  it("are refused with every problem", () => {
    const given = { warm: 1, more: 2 };
    expect(() => readSettings(given)).toThrow(
      expect.objectContaining({
        code: "invalid_parameter",
        details: {
          parameter: "settings.warm",
          received: "1",
          errors: [
            { path: "/settings/warm", message: "must be true or false" },
            { path: "/settings/more", message: `must be ${known}` },
          ],
        },
      }) as Error,
    );
  });

  it("are checked at deploy, update and registration, before anything runs", async () => {
    const settings = { runTimeoutMs: -1 } as DeployInput["settings"] & object;
    const code = runText("this.$emit(1)");
    const refused = { code: "invalid_parameter", details: { parameter: "settings.runTimeoutMs" } };
    const log = `hooks: { deploy() { throw new Error("ran") }, activate() { throw new Error("ran") } },`;
    await expect(trial.runtime.deploy({ code: runText("", log), settings })).rejects.toMatchObject(refused);
    const { source } = await trial.runtime.deploy({ code, settings: whole });
    await expect(trial.runtime.update(source.id, { settings })).rejects.toMatchObject(refused);
    const handler = (): void => undefined;
    await expect(trial.runtime.workflow({ name: "Set", handler, settings })).rejects.toMatchObject(refused);
    const changed = await trial.runtime.update(source.id, { settings: { dedupeCacheSize: 9 } });
    expect(changed.source.settings).toEqual({ ...whole, dedupeCacheSize: 9 });
  });
});
