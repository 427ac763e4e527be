import { expect, test } from "vitest";

import { never } from "./loopback.cases.ts";
import { createShares } from "./shares.ts";

const limits = { all: 6, user: 4, source: 3, origin: 2 };
const of = (sourceId: string, userId: string) => ({ sourceId, userId });

/** Notes who got a turn. */
function open() {
  const shares = createShares(limits);
  const got: string[] = [];
  const turns: (() => void)[] = [];
  const enter = (source: string, user: string, origin: string, signal = never): Promise<void> =>
    shares.enter(of(source, user), origin, signal).then((leave) => {
      got.push(`${source} ${origin}`);
      turns.push(leave);
    });
  return { enter, got, turns, settled: () => new Promise(setImmediate) };
}

test("requests are limited per source and origin, per source and per user, without effect on others", async () => {
  const { enter, got, settled } = open();
  for (const origin of ["x", "x", "x", "y", "y"]) void enter("a", "1", origin);
  for (const origin of ["x", "x"]) void enter("b", "1", origin);
  for (const origin of ["x", "x"]) void enter("c", "2", origin);
  await settled();
  expect(got).toEqual(["a x", "a x", "a y", "b x", "c x", "c x"]);
});

test("the sender with the fewest requests goes first, and a connection is returned once", async () => {
  const { enter, got, turns, settled } = open();
  for (const origin of ["x", "y", "z", "z"]) void enter("a", "1", origin);
  for (const origin of ["x", "y", "z"]) void enter("b", "2", origin);
  await settled();
  expect(got).toEqual(["a x", "a y", "a z", "b x", "b y", "b z"]);
  for (const origin of ["q"]) void enter("c", "3", origin);
  turns[0]?.();
  turns[0]?.();
  await settled();
  expect(got.slice(6)).toEqual(["c q"]);
  turns[1]?.();
  await settled();
  expect(got.slice(7)).toEqual(["a z"]);
});

test("a cancelled wait gets no connection", async () => {
  const { enter, got, turns, settled } = open();
  const gone = new AbortController();
  for (let n = 0; n < 2; n++) void enter("a", "1", "x");
  const waiting = enter("a", "1", "x", gone.signal);
  gone.abort(new Error("over"));
  await expect(waiting).rejects.toThrow("over");
  await expect(enter("a", "1", "x", gone.signal)).rejects.toThrow("over");
  turns[0]?.();
  await settled();
  expect(got).toHaveLength(2);
});
