import { systemClock } from "@x/model";
import { suggestsKey } from "./names.ts";
import type { RegistryModule } from "./contract.ts";

/** Files to read, each once, in order; files that may have a requested key come first. */
export interface ReadQueue<T> {
  /** Undefined when the queue is empty. */
  next(): T | undefined;
  /** The next one whose key is requested. */
  nextAsked(): T | undefined;
  /** Marks a file as read. */
  done(candidate: T): void;
  /** Adds a file again, behind all others. */
  requeue(candidate: T): void;
  /** Moves files that may have this key to the front. Resolves to true when they have been read, to false after `waitMs`. */
  readFirst(key: string, waitMs?: number): Promise<boolean>;
  readonly total: number;
  readonly left: number;
  /** Files to read whose key is unknown. */
  readonly leftWithoutKey: number;
}

/** False when the work takes longer. */
export async function isDoneWithin(work: Promise<unknown>, ms: number | undefined): Promise<boolean> {
  if (ms === undefined) return work.then(() => true);
  const late = Promise.withResolvers<boolean>();
  // Real time: a manual clock does not affect the file system.
  const cancel = systemClock.wakeAt(systemClock.now() + ms, () => late.resolve(false));
  try {
    return await Promise.race([work.then(() => true), late.promise]);
  } finally {
    cancel();
  }
}

/** `hints`: the keys that the texts of the candidates seem to declare. */
export function createReadQueue<T extends RegistryModule>(
  candidates: readonly T[],
  hints: ReadonlyMap<T, string>,
): ReadQueue<T> {
  const waiting = new Set(candidates);
  const prioritized = new Set<T>();
  const unread = new Map(candidates.map((each) => [each, Promise.withResolvers<void>()]));
  const byHint = new Map<string, T[]>();
  for (const [candidate, key] of hints) byHint.set(key, [...(byHint.get(key) ?? []), candidate]);
  /** A candidate without a hint may have any key that its file name suggests; without a file, any key. */
  const withoutHint = candidates.filter((each) => !hints.has(each));

  const suggests = (each: T, key: string): boolean => !("file" in each) || suggestsKey(each.file, key);

  function take([next]: Iterable<T>): T | undefined {
    if (!next) return undefined;
    prioritized.delete(next);
    waiting.delete(next);
    return next;
  }

  return {
    next: () => take(prioritized.size > 0 ? prioritized : waiting),
    nextAsked: () => take(prioritized),
    done(candidate) {
      unread.get(candidate)?.resolve();
      unread.delete(candidate);
    },
    requeue(candidate) {
      waiting.add(candidate);
    },
    readFirst(key, waitMs) {
      const all = [...(byHint.get(key) ?? []), ...withoutHint.filter((each) => suggests(each, key))];
      for (const each of all) if (waiting.has(each)) prioritized.add(each);
      return isDoneWithin(Promise.all(all.flatMap((each) => unread.get(each)?.promise ?? [])), waitMs);
    },
    total: candidates.length,
    get left() {
      return unread.size;
    },
    get leftWithoutKey() {
      return withoutHint.filter((each) => unread.has(each)).length;
    },
  };
}

const concurrency = 16;

/** A candidate, or a module of a list. */
export type Hinted = RegistryModule & { readonly publishedKey?: string };

/** The keys that the texts of candidates seem to declare. A candidate that computes its key has none. */
export async function readKeyHints<T extends Hinted>(
  candidates: readonly T[],
  seemingKey: (input: RegistryModule) => Promise<string | undefined>,
): Promise<ReadonlyMap<T, string>> {
  const hints = new Map<T, string>();
  const waiting = candidates.values();
  const work = async (): Promise<void> => {
    for (const candidate of waiting) {
      const key = candidate.publishedKey ?? (await seemingKey(candidate));
      if (key !== undefined) hints.set(candidate, key);
    }
  };
  await Promise.all(Array.from({ length: concurrency }, work));
  return hints;
}
