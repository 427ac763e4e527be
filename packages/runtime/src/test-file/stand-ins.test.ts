import { describe, expect, it } from "vitest";

import type { Json } from "../../../model/src/model.ts";
import { findStandIns, type StandIns } from "./stand-ins.ts";

const run = {
  id: "1",
  startedAt: 0,
  endedAt: 1,
  status: "ok",
  emitted: [],
  dropped: [],
  calls: [],
  db: [],
  dataStores: [],
  steps: [],
  omitted: [],
} as const;
const subject = {
  kind: "source",
  name: "Trial",
  props: [],
  configuredProps: {},
  secrets: [],
  notes: [],
  settings: {},
  ids: [],
  endpointKeys: ["k3y0f4n3ndp01nt"],
  dbBefore: {},
  dataStoresBefore: {},
  accounts: {},
  file: "./trial.ts",
} as const;
const standInsOf = (event: Json): StandIns => findStandIns({ ...run, event }, subject);

describe("stand-ins for secrets", () => {
  it("stand for each secret wherever it is, also inside of another and encoded", () => {
    const { text } = standInsOf({ token: "abcdef", password: "1_abcdef yy" });
    expect(text("abcdef, abcdefabcdef")).toBe("secret-1, secret-1secret-1");
    expect(text("(1_abcdef yy)")).toBe("(secret-2)");
    expect(text("?q=1_abcdef%20yy&k=k3y0f4n3ndp01nt")).toBe("?q=secret-2&k=endpoint-1");
  });

  it("leave nothing of secrets that overlap", () => {
    const { text } = standInsOf({ token: "abcdefgh", secret: "fghijkl" });
    expect(text("1 abcdefghijkl 2")).toBe("1 secret-1 2");
  });

  it("mask a long secret of which only the beginning is there", () => {
    const { text } = standInsOf({ token: "0123456789".repeat(10) });
    expect(text(`<${"0123456789".repeat(10)}>`)).toBe("<secret-1>");
    expect(text(`<${"0123456789".repeat(7)}>`)).toBe("<***>");
  });

  it("are at most 200; further secrets are masked", () => {
    const names = Array.from({ length: 300 }, (_, n) => [`${n}-token`, `value-${n}-`]);
    const { value } = standInsOf(Object.fromEntries(names) as Json);
    const event = value({ all: names.map(([, secret = ""]) => secret) }) as { all: string[] };
    expect(new Set(event.all).size).toBe(201);
    expect(event.all.slice(198, 202)).toEqual(["secret-199", "secret-200", "***", "***"]);
  });

  it("accept secrets with half of a character", () => {
    expect(standInsOf({ token: "abcdef\ud800" }).text("abcdef\ud800!")).toBe("secret-1!");
  });

  it("stand for the password of a URL, also with malformed escapes", () => {
    const call = { method: "GET", status: 200, requestHeaders: {}, responseHeaders: {} };
    const calls = ["http://u:pass%20word@a.example/?q=%zz", "http://u:pass%zzword@a.example/"];
    const { text } = findStandIns({ ...run, event: 1, calls: calls.map((url) => ({ ...call, url })) }, subject);
    expect(text("pass word")).toBe("secret-1");
    expect(text("http://u:pass%zzword@a.example/")).toBe("http://u:secret-2@a.example/");
  });
});
