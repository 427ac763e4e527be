import { expect, it } from "vitest";

import { createImageCache } from "./image-cache.ts";

const kib = 1024;
const image = (bytes: number) => ({ bytes });

it("images of bundles that never run evict no images of bundles that run", () => {
  const images = createImageCache<{ bytes: number }>(80 * kib, ({ bytes }) => bytes);
  for (let ran = 0; ran < 6; ran += 1) images.set(`ran ${ran}`, image(10 * kib));
  images.setDescribed("deployed, then runs", image(4 * kib));
  expect(images.get("deployed, then runs")).toBeDefined();
  for (let deployed = 0; deployed < 100; deployed += 1) images.setDescribed(`deployed ${deployed}`, image(4 * kib));
  expect(images.get("deployed 97")).toBeUndefined();
  expect(images.get("deployed 99")).toBeDefined();
  expect(images.get("deployed, then runs")).toBeDefined();
  for (let ran = 1; ran < 6; ran += 1) expect(images.get(`ran ${ran}`)).toBeDefined();
});
