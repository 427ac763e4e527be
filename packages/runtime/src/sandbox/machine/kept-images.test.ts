import { expect, it } from "vitest";

import type { Image } from "./image.ts";
import { keepImages } from "./kept-images.ts";

const kib = 1024;
const image = (bytes: number): Image => ({
  bytes: new ArrayBuffer(bytes),
  runs: new Uint32Array(),
  own: new Uint32Array(),
  pages: 1,
  addresses: {} as Image["addresses"],
});

it("images of what is deployed and never runs take no place of those that run", () => {
  const images = keepImages(80 * kib);
  for (let ran = 0; ran < 6; ran += 1) images.set(`ran ${ran}`, image(10 * kib));
  images.offer("deployed, then runs", image(4 * kib));
  expect(images.get("deployed, then runs")).toBeDefined();
  for (let deployed = 0; deployed < 100; deployed += 1) images.offer(`deployed ${deployed}`, image(4 * kib));
  expect(images.get("deployed 97")).toBeUndefined();
  expect(images.get("deployed 99")).toBeDefined();
  expect(images.get("deployed, then runs")).toBeDefined();
  for (let ran = 1; ran < 6; ran += 1) expect(images.get(`ran ${ran}`)).toBeDefined();
});
