import type { RegistryModule } from "../api/options.ts";

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
