import type { RegistryModule } from "../options.ts";
import type { Candidate } from "./scan.ts";

const atOnce = 16;

/** The keys that the texts of candidates seem to declare; those that compose theirs are left out. */
export async function readKeyHints(
  candidates: readonly Candidate[],
  seemingKey: (input: RegistryModule) => Promise<string | undefined>,
): Promise<ReadonlyMap<Candidate, string>> {
  const hints = new Map<Candidate, string>();
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
