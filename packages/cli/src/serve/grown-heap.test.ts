import { expect, test } from "vitest";

import { createHeapWatch } from "./grown-heap.ts";

const megabyte = 1024 * 1024;

/** A heap whose garbage is all above `live`. */
function openHeap(live: number) {
  const heap = { held: live, busy: 0, collections: 0 };
  const { check } = createHeapWatch({
    held: () => heap.held * megabyte,
    busyShare: () => heap.busy,
    collect() {
      heap.held = live;
      heap.collections += 1;
    },
  });
  return { heap, check };
}

test("a heap that has grown is collected once, when little is being done", () => {
  const { heap, check } = openHeap(60);
  heap.held = 300;
  heap.busy = 0.9;
  check();
  expect(heap.collections).toBe(0);
  heap.busy = 0.1;
  check();
  check();
  expect([heap.collections, heap.held]).toEqual([1, 60]);
});

test("a heap that has grown by little is left to V8", () => {
  const { heap, check } = openHeap(60);
  heap.held = 106;
  check();
  expect(heap.collections).toBe(0);
  heap.held = 108;
  check();
  expect(heap.collections).toBe(1);
});
