import { expect, test } from "vitest";

import { partsFor } from "../../thread/preload.ts";
import { tryBuiltins } from "../builtins.cases.ts";

const { ran } = tryBuiltins();

test("a hash becomes a stream when it is used as one, without an import of node:stream", async () => {
  const { emitted } = await ran(`
    const { createHash } = require("crypto");
    const hash = await createHash("sha1").setEncoding("hex");
    const others = [JSON.stringify(createHash("sha1")), String(createHash("sha1"))];
    hash.write("a");
    hash.end("bc");
    let text = "";
    for await (const piece of hash) text += piece;
    return [text, createHash("sha1").update("abc").digest("hex"), "pipe" in createHash("sha1"), ...others];`);
  const digest = "a9993e364706816aba3e25717850c26c9cd0d89d";
  expect(emitted).toMatchObject([digest, digest, true, expect.any(String), "[object Object]"]);
});

test("an unused lazy stream is an instance of the stream classes", async () => {
  const { emitted } = await ran(`
    const { createHash, createSign } = require("crypto");
    const { createGzip } = require("zlib");
    const early = [createHash("sha1"), createSign("sha256"), createGzip()];
    const { Transform, Writable } = require("stream");
    return early.map((one) => [one instanceof Transform, one instanceof Writable]);`);
  expect(emitted).toEqual([
    [true, true],
    [false, true],
    [true, true],
  ]);
});

test.each<[code: string, wanted: string[]]>([
  [`require("node:crypto").createHmac("sha1", "k")`, ["buffer", "node:crypto"]],
  [`require("node:zlib").gunzipSync(x)`, ["buffer", "node:zlib"]],
  [`body.pipe(require("node:zlib").createGunzip())`, ["buffer", "node:zlib", "node:stream"]],
  [`require("node:util").promisify(f)`, ["node:util"]],
  [`require("node:util").format("%s", 1)`, ["node:util", "node:internal/inspect"]],
  [`require("node:fs").createReadStream("a")`, ["buffer", "node:fs", "node:stream"]],
  [`fetch(url).then((a) => a.body.pipe(b))`, []],
  [`require("node:no_such")`, []],
])("the image of %s has the built-ins that it will use", (code, wanted) => {
  expect(partsFor(code)).toEqual(wanted);
});
