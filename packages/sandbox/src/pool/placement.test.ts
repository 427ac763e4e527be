import { expect, test } from "vitest";

import { createPlacement } from "./placement.ts";
import type { Job } from "./job.ts";
import type { WorkerThread } from "./worker-thread.ts";

const jobOf = (id: number): Job => ({ id, sourceId: `dc_${id}`, userId: "u_1", isLong: id > 100 }) as Job;

const threadWith = (...calls: readonly number[]): WorkerThread =>
  ({
    ready: true,
    closed: false,
    calls: new Set(calls),
    beat: { read: () => ({ callId: 0, enteredAt: 0, deadline: 0 }) },
  }) as unknown as WorkerThread;

/** Where a long job goes, as an index; `added` is the thread that boots. */
function findLong(existing: readonly WorkerThread[], most: number, added?: WorkerThread): number | undefined {
  const used = new Set(existing);
  const addIfRoom = (): WorkerThread | undefined => {
    if (added && used.size < most) used.add(added);
    return added;
  };
  const placement = createPlacement({ threads: { used, most, warm: () => undefined, addIfRoom }, jobOf });
  const found = placement.find(jobOf(999));
  return found && [...used].indexOf(found);
}

const empty = threadWith();
const waiting = threadWith(1, 2);

test("a long job gets an empty thread, else a new one, else the thread with the fewest waiting jobs", () => {
  expect(findLong([waiting, empty], 8)).toBe(1);
  expect(findLong([waiting], 8, threadWith())).toBe(1);
  expect(findLong([waiting, threadWith(3), threadWith(4, 5)], 3)).toBe(1);
});

test("a long job waits while a thread boots, and while others use the threads of long jobs", () => {
  expect(findLong([waiting], 8, { ...empty, ready: false })).toBeUndefined();
  expect(findLong([threadWith(101), empty], 2)).toBeUndefined();
});
