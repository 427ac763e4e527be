import type { EffectMessage } from "./messages.ts";

/**
 * Effects that a thread has not posted yet, in memory that outlives it: what a call did right before its thread had to be
 * ended is read from here (S24). A thread posts effects in batches; this is what makes that safe.
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

export interface JournalWriter {
  /** False: it does not fit; post what is there, clear, and post this one too. */
  write(effect: EffectMessage): boolean;
  /** Everything in it has been posted. */
  clear(): void;
}

export function createJournalWriter(buffer: SharedArrayBuffer): JournalWriter {
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
      // Last: a record counts when it is whole.
      Atomics.store(end, 0, start + recordBytes + lengthA + lengthB);
      return true;
    },
  };
}

/** What a thread left behind, in order. */
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
