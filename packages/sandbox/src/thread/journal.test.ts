import type { MessagePort } from "node:worker_threads";

import { expect, test } from "vitest";

import { createThreadSender, journalBytes, readJournal } from "./journal.ts";
import type { EffectMessage, FromWorker, UnnumberedEffect } from "./messages.ts";

class Killed extends Error {}

/** Sends effects until the thread ends at its n-th post, before or after the message left; returns what the scheduler received. */
function receivedUntil(
  kill: { post: number; sent: boolean },
  effects: readonly UnnumberedEffect[],
): [string[], number] {
  const journal = new SharedArrayBuffer(journalBytes);
  const received: EffectMessage[] = [];
  let posts = 0;
  const postMessage = (batch: readonly FromWorker[]): void => {
    posts += 1;
    if (posts === kill.post && !kill.sent) throw new Killed();
    for (const message of batch) if ("seq" in message) received.push(message);
    if (posts === kill.post) throw new Killed();
  };
  const sender = createThreadSender({ postMessage } as unknown as MessagePort, journal, () => 0);
  let done = 0;
  try {
    for (const effect of effects) {
      sender.effect(effect);
      done += 1;
    }
  } catch (error) {
    if (!(error instanceof Killed)) throw error;
  }
  const last = received.at(-1)?.seq ?? 0;
  const all = [...received, ...readJournal(journal).filter(({ seq }) => seq > last)];
  return [
    all.map((effect) => (effect.k === "db" ? effect.key : effect.k === "emit" ? effect.payload : effect.k)),
    done,
  ];
}

const payload = (index: number): string => `"${index}${"x".repeat((index * 7_919) % 50_000)}"`;
const effects = Array.from({ length: 60 }, (_, index): UnnumberedEffect =>
  index % 3 === 0
    ? { k: "db", id: 1, key: `k${index}`, value: payload(index) }
    : { k: "emit", id: 1, meta: "{}", payload: payload(index), at: 1 },
);
const names = effects.map((effect) => (effect.k === "db" ? effect.key : effect.k === "emit" ? effect.payload : ""));

test.each([true, false])(
  "S24 no effect is lost, repeated or out of order when a thread is ended at any of its posts, sent: %s",
  (sent) => {
    let kills = 0;
    for (let post = 1; ; post++) {
      const [received, done] = receivedUntil({ post, sent }, effects);
      expect(received.slice(0, done)).toEqual(names.slice(0, done));
      // The effect under way when the thread ended may be lost.
      expect(names.slice(0, done + 1)).toEqual(expect.arrayContaining(received));
      if (done === effects.length) break;
      kills += 1;
    }
    expect(kills).toBeGreaterThan(5);
  },
);

test("a held message is posted with the next one, or after a millisecond", () => {
  const posted: (readonly FromWorker[])[] = [];
  const port = { postMessage: (batch: readonly FromWorker[]) => posted.push(batch) } as unknown as MessagePort;
  let time = 0;
  const sender = createThreadSender(port, new SharedArrayBuffer(journalBytes), () => time);
  const need = (hash: string): FromWorker => ({ k: "need", hash });
  sender.hold(need("a"));
  sender.flushHeld();
  expect(posted).toEqual([]);
  sender.post(need("b"));
  sender.hold(need("c"));
  time = 0.9;
  sender.flushHeld();
  sender.hold(need("d"));
  time = 1;
  sender.flushHeld();
  sender.flushHeld();
  expect(posted).toEqual([
    [need("a"), need("b")],
    [need("c"), need("d")],
  ]);
});
