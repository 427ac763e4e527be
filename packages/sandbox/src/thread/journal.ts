import type { MessagePort } from "node:worker_threads";

import type { EffectMessage, FromWorker, UnnumberedEffect } from "./messages.ts";

/**
 * Size of a thread's journal: the effects that it has not posted yet, in shared memory. A thread posts effects in batches;
 * when it is ended, the scheduler reads the rest from the journal, so that no effect is lost.
 */
export const journalBytes: number = 128 * 1024;

const headBytes = 8;
const recordBytes = 32;
const kinds = ["emit", "db", "dbDelete", "log", "step"] as const;
type Kind = (typeof kinds)[number];

interface Parts {
  readonly kind: Kind;
  readonly a: string;
  readonly b: string;
  readonly at: number;
}

function split(effect: EffectMessage): Parts {
  switch (effect.k) {
    case "emit":
      return { kind: "emit", a: effect.meta, b: effect.payload, at: effect.at };
    case "db":
      return { kind: effect.value === undefined ? "dbDelete" : "db", a: effect.key, b: effect.value ?? "", at: 0 };
    case "log":
      return { kind: "log", a: JSON.stringify([effect.level, effect.msg]), b: effect.data, at: effect.at };
    case "step":
      return { kind: "step", a: effect.name, b: "", at: 0 };
  }
}

function join({ kind, a, b, at }: Parts, id: number, seq: number): EffectMessage {
  switch (kind) {
    case "emit":
      return { k: "emit", id, seq, meta: a, payload: b, at };
    case "db":
      return { k: "db", id, seq, key: a, value: b };
    case "dbDelete":
      return { k: "db", id, seq, key: a, value: undefined };
    case "log": {
      const [level, msg] = JSON.parse(a) as [string, string];
      return { k: "log", id, seq, level, msg, data: b, at };
    }
    case "step":
      return { k: "step", id, seq, name: a };
  }
}

interface JournalWriter {
  /** False: the effect does not fit; post the waiting ones, clear the journal, and post this one. */
  write(effect: EffectMessage): boolean;
  /** To be called when all effects in it have been posted. */
  clear(): void;
}

function createJournalWriter(buffer: SharedArrayBuffer): JournalWriter {
  const end = new Int32Array(buffer, 0, 1);
  const bytes = Buffer.from(buffer);
  const clear = (): void => void Atomics.store(end, 0, headBytes);
  clear();
  return {
    clear,
    write(effect) {
      const { kind, a, b, at } = split(effect);
      const start = Atomics.load(end, 0);
      if (start + recordBytes + 3 * (a.length + b.length) > bytes.length) return false;
      const lengthA = bytes.write(a, start + recordBytes, "utf8");
      const lengthB = bytes.write(b, start + recordBytes + lengthA, "utf8");
      bytes.writeUInt32LE(kinds.indexOf(kind), start);
      bytes.writeUInt32LE(effect.id, start + 4);
      bytes.writeUInt32LE(effect.seq, start + 8);
      bytes.writeUInt32LE(lengthA, start + 12);
      bytes.writeUInt32LE(lengthB, start + 16);
      bytes.writeDoubleLE(at, start + 24);
      // Last, so that a reader sees whole records only.
      Atomics.store(end, 0, start + recordBytes + lengthA + lengthB);
      return true;
    },
  };
}

/** Effects that a thread wrote and has not cleared, in order. */
export function readJournal(buffer: SharedArrayBuffer): EffectMessage[] {
  const bytes = Buffer.from(buffer);
  const end = Atomics.load(new Int32Array(buffer, 0, 1), 0);
  const effects: EffectMessage[] = [];
  for (let start = headBytes; start < end;) {
    const lengthA = bytes.readUInt32LE(start + 12);
    const lengthB = bytes.readUInt32LE(start + 16);
    const textAt = start + recordBytes;
    const a = bytes.toString("utf8", textAt, textAt + lengthA);
    const b = bytes.toString("utf8", textAt + lengthA, textAt + lengthA + lengthB);
    const kind = kinds[bytes.readUInt32LE(start)] ?? "log";
    effects.push(
      join(
        { kind, a, b, at: bytes.readDoubleLE(start + 24) },
        bytes.readUInt32LE(start + 4),
        bytes.readUInt32LE(start + 8),
      ),
    );
    start = textAt + lengthA + lengthB;
  }
  return effects;
}

/** Sends messages of a thread to its scheduler. Effects wait in the journal for the next message, or until a batch is full. */
export interface ThreadSender {
  /** Writes the effect to the journal; it is posted with the next batch. */
  effect(effect: UnnumberedEffect): void;
  post(message: FromWorker, transfer?: ArrayBuffer[]): void;
  /** Keeps a message for the next batch. */
  hold(message: FromWorker): void;
  /** Posts the waiting effects and the held messages. */
  flush(): void;
  /** The same, if a message has been held for a millisecond. */
  flushHeld(): void;
}

/** Most messages in a batch. */
const batchLimit = 256;
/** Long enough for a handful of calls, short for those who wait for their ends. */
const holdMs = 1;

/** `now` is the time in ms. */
export function createThreadSender(port: MessagePort, buffer: SharedArrayBuffer, now: () => number): ThreadSender {
  const journal = createJournalWriter(buffer);
  let waiting: FromWorker[] = [];
  let seq = 0;
  /** When the first held message came. */
  let heldSince: number | undefined;

  function flush(transfer: ArrayBuffer[] = []): void {
    if (waiting.length === 0) return;
    port.postMessage(waiting, transfer);
    waiting = [];
    heldSince = undefined;
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
    hold(message) {
      waiting.push(message);
      heldSince ??= now();
      if (waiting.length >= batchLimit) flush();
    },
    flush: () => flush(),
    flushHeld() {
      if (heldSince !== undefined && now() - heldSince >= holdMs) flush();
    },
  };
}
