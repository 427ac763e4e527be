import type { MessagePort } from "node:worker_threads";

import { createJournalWriter } from "./journal.ts";
import type { EffectMessage, FromWorker } from "./messages.ts";

/** Messages of a thread to its scheduler: effects wait in the journal for the next message that cannot wait. */
export interface ThreadSender {
  /** Keeps the effect safe at once; it is posted with the next batch. */
  effect(effect: UnnumberedEffect): void;
  post(message: FromWorker, transfer?: ArrayBuffer[]): void;
  /** Posts what waits. */
  flush(): void;
}

type Unnumbered<T> = T extends unknown ? Omit<T, "seq"> : never;
export type UnnumberedEffect = Unnumbered<EffectMessage>;

/** A batch is posted at the latest when it holds so many messages. */
const batchLimit = 256;

export function createThreadSender(port: MessagePort, buffer: SharedArrayBuffer): ThreadSender {
  const journal = createJournalWriter(buffer);
  let waiting: FromWorker[] = [];
  let seq = 0;

  function flush(transfer: ArrayBuffer[] = []): void {
    if (waiting.length === 0) return;
    port.postMessage(waiting, transfer);
    waiting = [];
    journal.clear();
  }

  return {
    effect(given) {
      seq = seq === 0xffff_ffff ? 1 : seq + 1;
      const effect = { ...given, seq } as EffectMessage;
      if (journal.write(effect)) waiting.push(effect);
      else {
        flush();
        waiting.push(effect);
        if (!journal.write(effect)) flush();
      }
      if (waiting.length >= batchLimit) flush();
    },
    post(message, transfer) {
      waiting.push(message);
      flush(transfer);
    },
    flush: () => flush(),
  };
}
