import type { RegistryItem } from "./contract.ts";
import type { Candidate } from "./scan.ts";
import { refusal, type RegistryProblem, type KeyFailure } from "./problem.ts";

/** The result of reading one candidate, without its code: a registry may have thousands. */
export interface Entry {
  readonly candidate: Candidate;
  /** Absolute paths; empty when it could not be bundled. */
  readonly files: readonly string[];
  /** See `stampsOf`; the digest of the whole listing when it could not be bundled. */
  readonly stamps: string;
  /** See `Contents`; undefined when a file changed while it was read. */
  readonly content: string | undefined;
  /** The last valid version, which is served. */
  readonly item: RegistryItem | undefined;
  readonly problem: RegistryProblem | undefined;
  /** The key that its code seems to declare, when the current version is not served. */
  readonly seemingKey: string | undefined;
  /** Number of failures in a row that a later attempt may fix. */
  readonly tries: number;
  readonly failure: KeyFailure | undefined;
}

/** The items of an entry in the list of the registry. */
export function itemsOf({ candidate, item, problem }: Entry): RegistryItem[] {
  if (item) return [{ ...item, ...(problem && { problem }) }];
  return problem ? [{ file: candidate.shown, problem }] : [];
}

/** The entry as JSON text for the next process; undefined when that process should read the file again. */
export function formatEntry(entry: Entry, version: string): string | undefined {
  const { candidate, files, stamps, content, item, problem, seemingKey, tries, failure } = entry;
  if (tries > 0 || failure) return undefined;
  return JSON.stringify({ version, file: candidate.file, files, stamps, content, item, problem, seemingKey });
}

/** The entry that an earlier process stored for the candidate; undefined when it no longer applies. */
export function parseEntry(text: string, candidate: Candidate, version: string): Entry | undefined {
  const stored = JSON.parse(text) as Omit<Entry, "candidate" | "tries" | "failure"> & {
    readonly version: string;
    readonly file: string;
  };
  const { files, stamps, content, item, problem, seemingKey } = stored;
  // Another version of the runtime may be able to read it.
  if (stored.file !== candidate.file || (problem && stored.version !== version)) return undefined;
  return { candidate, files, stamps, content, item, problem, seemingKey, tries: 0, failure: undefined };
}

/** Why nothing is served under the key of the entry; undefined when something is. */
export function failureOf({ candidate, item, problem, seemingKey, failure }: Entry): KeyFailure | undefined {
  if (failure) return failure;
  if (!problem || item || seemingKey === undefined) return undefined;
  return refusal(seemingKey, candidate.shown, problem);
}
