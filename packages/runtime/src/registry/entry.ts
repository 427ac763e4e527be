import type { RegistryItem } from "../api/api.ts";
import type { Candidate } from "./scan.ts";
import { refusedAs, type RegistryProblem, type Unserved } from "./problem.ts";

/** What is known about one candidate: no code, for there are thousands. */
export interface Entry {
  readonly candidate: Candidate;
  /** Absolute; empty when it could not be bundled. */
  readonly files: readonly string[];
  /** See `stampsOf`; of what could not be bundled, the digest of the whole listing. */
  readonly stamps: string;
  /** See `Contents`; undefined when nobody knows it. */
  readonly content: string | undefined;
  /** What is served: the last that was good. */
  readonly item: RegistryItem | undefined;
  readonly problem: RegistryProblem | undefined;
  /** The key that its code seems to have, where it is not served as it is. */
  readonly seemingKey: string | undefined;
  /** How often it failed for a reason that may pass; 0: for none. */
  readonly tries: number;
  readonly unserved: Unserved | undefined;
}

/** As the list of the registry has it. */
export function shownOf({ candidate, item, problem }: Entry): RegistryItem[] {
  if (item) return [{ ...item, ...(problem && { problem }) }];
  return problem ? [{ file: candidate.shown, problem }] : [];
}

/** JSON text for the next process. Undefined: it is better read again. */
export function formatEntry(entry: Entry, version: string): string | undefined {
  const { candidate, files, stamps, content, item, problem, seemingKey, tries, unserved } = entry;
  if (tries > 0 || unserved) return undefined;
  return JSON.stringify({ version, file: candidate.file, files, stamps, content, item, problem, seemingKey });
}

/** What a former process kept for the candidate; undefined when that says nothing about it. */
export function parseEntry(text: string, candidate: Candidate, version: string): Entry | undefined {
  const kept = JSON.parse(text) as Omit<Entry, "candidate" | "tries" | "unserved"> & {
    readonly version: string;
    readonly file: string;
  };
  const { files, stamps, content, item, problem, seemingKey } = kept;
  // Another version may be able to read it.
  if (kept.file !== candidate.file || (problem && kept.version !== version)) return undefined;
  return { candidate, files, stamps, content, item, problem, seemingKey, tries: 0, unserved: undefined };
}

/** What is said of the key of a file that is refused for what it is. */
export function refusedFile({ candidate, item, problem, seemingKey }: Entry): Unserved | undefined {
  if (!problem || item || seemingKey === undefined) return undefined;
  return refusedAs(seemingKey, candidate.shown, problem);
}
