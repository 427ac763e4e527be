import { isDeepStrictEqual } from "node:util";

import { beforeAll, expect, test } from "vitest";

import { openEngine } from "./engine.ts";
import { idleHost } from "./guest-machine.ts";
import { type BaseImage, captureImage, type Image, imageSize, restoreImage } from "./image.ts";
import { capturePackedImage, packedSize, packImage, unpackImage } from "./packed-image.ts";
import { createMachineLoader, type Machine, type MachineLoader } from "./quickjs-machine.ts";
import { guestOp } from "../ops.ts";

let loader: MachineLoader;
let base: BaseImage;
beforeAll(async () => {
  const engine = await openEngine();
  loader = await createMachineLoader(engine.code);
  if (!engine.base) throw new Error("The build made no base image");
  base = engine.base;
});

async function machineOf(code: string, from: BaseImage = base): Promise<Machine> {
  const machine = await loader.create(256);
  restoreImage(machine, from, from);
  machine.attach(idleHost);
  machine.enter(guestOp.evaluate, "[1,2]", { code: `(function(module){${code}})` });
  return machine;
}

const imageOf = async (code: string, from: BaseImage = base): Promise<Image> =>
  captureImage(await machineOf(code, from), from);

const small = `module.exports = { run(event) { this.$emit(event) } }`;
/** Grows the heap beyond the base image. */
const large = `const all = Array.from({ length: 20000 }, (_, n) => "text " + n); module.exports = { run() { this.$emit(all.length) } }`;

/** More than one piece. */
const huge = `const all = Array.from({ length: 90 }, (_, n) => new Uint8Array(1e5).fill(n)); module.exports = { run() { this.$emit(all.length) } }`;
const components: [string, string][] = [
  ["a small component", small],
  ["a component with more memory than the base image", large],
  ["a component with several megabytes", huge],
];

/** Faster than a comparison by the test runner, which looks at each byte. */
const isSame = ({ bytes, parts, ...one }: Image, other: Image): boolean =>
  Buffer.from(bytes).equals(Buffer.from(other.bytes)) &&
  parts.length === other.parts.length &&
  parts.every(({ offset, bytes: part }, index) => offset === other.parts[index]?.offset && part.buffer === bytes) &&
  isDeepStrictEqual(one, { runs: other.runs, pages: other.pages, addresses: other.addresses });

test.each(components)("the image of %s is the same after packing", async (_name, code) => {
  const image = await imageOf(code);
  const unpacked = unpackImage(packImage(image, base), base);
  expect(isSame(unpacked, image)).toBe(true);
});

test.each(components)("packing the memory of %s packs its image", async (_name, code) => {
  const machine = await machineOf(code);
  const packed = capturePackedImage(machine, base);
  // It would write to the free memory again, in another order.
  machine.scrub = () => undefined;
  expect(isSame(unpackImage(packed, base), captureImage(machine, base))).toBe(true);
});

test("a large image is packed in pieces", async () => {
  expect(packImage(await imageOf(huge), base).packed.length).toBeGreaterThan(2);
  expect(packImage(await imageOf(small), base).packed).toHaveLength(1);
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
