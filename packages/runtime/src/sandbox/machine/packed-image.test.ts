import { beforeAll, expect, test } from "vitest";

import { findBaseImage } from "./base-image.ts";
import { loadEngineCode, readEngineFiles } from "./engine-files.ts";
import { idleHost } from "./guest-machine.ts";
import { type BaseImage, captureImage, type Image, imageSize, restoreImage } from "./image.ts";
import { packedSize, packImage, unpackImage } from "./packed-image.ts";
import { createMachineLoader, type MachineLoader } from "./quickjs-machine.ts";
import { guestOp } from "../ops.ts";

let loader: MachineLoader;
let base: BaseImage;
beforeAll(async () => {
  const files = readEngineFiles();
  loader = await createMachineLoader(await loadEngineCode(files));
  const found = findBaseImage(files);
  if (!found) throw new Error("The build made no base image");
  base = found;
});

async function imageOf(code: string, from: BaseImage = base): Promise<Image> {
  const machine = await loader.create(256);
  restoreImage(machine, from, from);
  machine.attach(idleHost);
  machine.enter(guestOp.evaluate, "[1,2]", { code: `(function(module){${code}})` });
  return captureImage(machine, from);
}

const small = `module.exports = { run(event) { this.$emit(event) } }`;
/** Grows the heap beyond the base image. */
const large = `const all = Array.from({ length: 20000 }, (_, n) => "text " + n); module.exports = { run() { this.$emit(all.length) } }`;

test.each([
  ["a small component", small],
  ["a component with more memory than the base image", large],
])("the image of %s is the same after packing", async (_name, code) => {
  const image = await imageOf(code);
  const unpacked = unpackImage(packImage(image, base), base);
  expect(Buffer.from(unpacked.bytes).equals(Buffer.from(image.bytes))).toBe(true);
  expect(unpacked).toEqual(image);
});

test("the image of a small component takes at most 24 KiB packed", async () => {
  const image = await imageOf(small);
  expect(imageSize(image)).toBeGreaterThan(96 * 1024);
  expect(packedSize(packImage(image, base))).toBeLessThan(24 * 1024);
});

test("an image that does not refer to a stored base image is only compressed", async () => {
  const own = { ...base, isStored: false };
  const image = await imageOf(small, own);
  const other = { ...own, bytes: new ArrayBuffer(base.bytes.byteLength) };
  expect(unpackImage(packImage(image, own), other)).toEqual(image);
});
