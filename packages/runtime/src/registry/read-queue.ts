import { suggestsKey } from "./names.ts";
import type { RegistryModule } from "../api/options.ts";

/** Candidates that are to be read, each once: in their order, but first those that may have a key somebody waits for. */
export interface ReadingLine<T> {
  /** Undefined when all were taken. */
  next(): T | undefined;
  /** It was read. */
  done(candidate: T): void;
  /** It is to be read once more, after all others. */
  again(candidate: T): void;
  /** Resolves when every candidate that may have this key is read. */
  mayHave(key: string): Promise<void>;
  readonly total: number;
  readonly left: number;
}

/** `hints`: the keys that the candidates' texts seem to declare. */
export function createReadingLine<T extends RegistryModule>(
  candidates: readonly T[],
  hints: ReadonlyMap<T, string>,
): ReadingLine<T> {
  const waiting = new Set(candidates);
  const front = new Set<T>();
  const unread = new Map(candidates.map((each) => [each, Promise.withResolvers<void>()]));
  const byHint = new Map<string, T[]>();
  for (const [candidate, key] of hints) byHint.set(key, [...(byHint.get(key) ?? []), candidate]);
  /** What says nothing of its key may have any that the name of its file suggests; without a file, any at all. */
  const silent = candidates.filter((each) => !hints.has(each));

  const suggests = (each: T, key: string): boolean => !("file" in each) || suggestsKey(each.file, key);

  return {
    next() {
      const [next] = front.size > 0 ? front : waiting;
      if (!next) return undefined;
      front.delete(next);
      waiting.delete(next);
      return next;
    },
    done(candidate) {
      unread.get(candidate)?.resolve();
      unread.delete(candidate);
    },
    again(candidate) {
      waiting.add(candidate);
    },
    async mayHave(key) {
      const all = [...(byHint.get(key) ?? []), ...silent.filter((each) => suggests(each, key))];
      for (const each of all) if (waiting.has(each)) front.add(each);
      await Promise.all(all.flatMap((each) => unread.get(each)?.promise ?? []));
    },
    total: candidates.length,
    get left() {
      return unread.size;
    },
  };
}

const atOnce = 16;

/** A candidate, or a module of a list. */
export type Hinted = RegistryModule & { readonly publishedKey?: string };

/** The keys that the texts of candidates seem to declare; those that compose theirs are left out. */
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
  await Promise.all(Array.from({ length: atOnce }, work));
  return hints;
}
