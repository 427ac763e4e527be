import { expect, test } from "vitest";

import { createHeapWatch } from "./grown-heap.ts";

const megabyte = 1024 * 1024;

/** A heap whose garbage is all above `live`. */
function openHeap(live: number) {
  const heap = { held: live, live, busy: 0, collections: 0 };
  const { check } = createHeapWatch({
    held: () => heap.held * megabyte,
    busyShare: () => heap.busy,
    collect() {
      heap.held = heap.live;
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

test("what a collection in a flood could not free is collected when the flood is over", () => {
  const { heap, check } = openHeap(60);
  [heap.held, heap.live, heap.busy] = [400, 300, 0.28];
  check();
  expect([heap.collections, heap.held]).toEqual([1, 300]);
  [heap.live, heap.busy] = [70, 0.2];
  check();
  expect([heap.collections, heap.held]).toEqual([2, 70]);
});

test("memory that is in use is collected less and less often", () => {
  const { heap, check } = openHeap(60);
  [heap.held, heap.live] = [400, 400];
  const collected = Array.from({ length: 100 }, (_, number) => {
    const before = heap.collections;
    check();
    return heap.collections > before ? number : undefined;
  });
  expect(collected.filter((number) => number !== undefined)).toEqual([0, 2, 6, 14, 30, 62, 94]);
});
