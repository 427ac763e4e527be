import { describe, expect, it } from "vitest";

import { answerCrypto, answerGenerate, answerZlib, libraryFunctions } from "./libraries.ts";

/** Values that guest code might send instead of those of the prelude. */
const values: readonly unknown[] = [null, 5, -1, 1e300, "x", "", true, [], {}, ["a"], { form: "private" }];
const members = (value: unknown): object =>
  Object.fromEntries(
    "algorithm name key form format type role digest keylen iterations N r p curve options params level hash usages length decrypt final from hasIv authTagLength jwk nameOrNid privateKey publicKey kind padding"
      .split(" ")
      .map((name) => [name, value]),
  );
const questions = [
  ...values,
  ...values.map(members),
  { algorithm: "sha256", key: { form: "jwk", jwk: { kty: "EC", crv: "P-256", x: "", y: "" } }, options: {} },
  { algorithm: "sha256", digest: "sha256", iterations: "1e9", keylen: "32", N: "1048576", r: 64, p: 64 },
  { name: "aes-256-gcm", hasIv: true, hasAad: true, hasTag: true, final: true, from: -5, autoPadding: true },
  { options: { finishFlush: 3, flush: 3, level: 9, params: { 1: "x" } }, hasDictionary: true },
];
const lengths: readonly unknown[] = [[], [1, 1, 1, 1, 1], [-1, 1e9, "x", null]];

describe("calls of the guest to the host's libraries", () => {
  it.each(libraryFunctions)("return for any arguments: %s", (name) => {
    const answers = [answerCrypto, answerGenerate, answerZlib].flatMap((answer) =>
      questions.flatMap((given) =>
        lengths.map((sizes) => answer(JSON.stringify([name, given, sizes]), new Uint8Array([0, 1, 2, 3, 4, 5]))),
      ),
    );
    for (const answer of answers) expect(typeof answer === "string" || answer instanceof Uint8Array).toBe(true);
  });

  it.each(["", "5", "null", "{}", "[", '["hash"]', '["hash",null]'])("are refused when malformed: %s", (text) => {
    for (const answer of [answerCrypto, answerGenerate, answerZlib])
      expect(String(answer(text, undefined))).toMatch(/^!/);
  });

  it.each(["constructor", "__proto__", "toString", "nope"])("have no function %s", (name) => {
    expect(answerCrypto(JSON.stringify([name, {}, []]), undefined)).toContain(`The host has no function`);
  });

  it("read the costs of scrypt by the checked names only", () => {
    const ask = (cost: object): unknown =>
      answerCrypto(JSON.stringify(["scrypt", { keylen: 8, ...cost }, [1, 1]]), Buffer.from("ps"));
    expect(ask({ cost: 2 ** 20, blockSize: 64, parallelization: 64, maxmem: 2 ** 40 })).toEqual(
      ask({ maxmem: 2 ** 40 }),
    );
  });

  it("return errors with their type and code", () => {
    const answer = answerCrypto(JSON.stringify(["hash", { algorithm: 5 }, []]), undefined);
    expect(JSON.parse(String(answer).slice(1))).toMatchObject({ name: "TypeError", code: "ERR_INVALID_ARG_TYPE" });
  });
});
