import type { Declared } from "../declared/contract.ts";
import type { RegistryItem } from "./contract.ts";
import type { Candidate } from "./scan.ts";
import { refusal, type RegistryProblem, type KeyFailure } from "./problem.ts";

/** What is known of one candidate, without its code: a registry may have thousands. */
export interface Entry extends Reading {
  readonly candidate: Candidate;
  /** What its text says. */
  readonly declared: Declared;
  /** The stamp of its own file when it was parsed. */
  readonly parsedAt: string;
}

/** The result of evaluating one candidate. */
export interface Reading {
  /** False before its current version is evaluated; the other fields are then those of the version before. */
  readonly isRead: boolean;
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

/** The reading of a candidate that was never evaluated. */
export const unread: Reading = {
  isRead: false,
  files: [],
  stamps: "",
  content: undefined,
  item: undefined,
  problem: undefined,
  seemingKey: undefined,
  tries: 0,
  failure: undefined,
};

/** True when it must be evaluated: a helper that never was a component need not. */
export const isPending = ({ isRead, declared, item, candidate }: Entry): boolean =>
  !isRead && (declared.kind !== "helper" || item !== undefined || candidate.publishedKey !== undefined);

/** The key that its text shows. */
export const declaredKey = ({ candidate, declared }: Pick<Entry, "candidate" | "declared">): string | undefined =>
  candidate.publishedKey ?? (declared.kind === "component" ? declared.key : undefined);

/** The items of an entry in the list of the registry. */
export function itemsOf({ candidate, item, problem }: Entry): RegistryItem[] {
  if (item) return [{ ...item, ...(problem && { problem }) }];
  return problem ? [{ file: candidate.shown, problem }] : [];
}

/** The entry as JSON text for the next process, which evaluates the file again when a later attempt may mend a failure. */
export function formatEntry(entry: Entry, version: string): string {
  const { candidate, declared, parsedAt } = entry;
  const isFinal = entry.tries === 0 && !entry.failure;
  const { isRead, files, stamps, content, item, problem, seemingKey } = isFinal
    ? entry
    : { ...unread, item: entry.item };
  return JSON.stringify({
    version,
    file: candidate.file,
    declared,
    parsedAt,
    isRead,
    files,
    stamps,
    content,
    item,
    problem,
    seemingKey,
  });
}

/** The entry that an earlier process stored for the candidate; undefined when it no longer applies. */
export function parseEntry(text: string, candidate: Candidate, version: string): Entry | undefined {
  const stored = JSON.parse(text) as Omit<Entry, "candidate" | "tries" | "failure"> & {
    readonly version: string;
    readonly file: string;
  };
  const { declared, parsedAt, isRead, files, stamps, content, item, problem, seemingKey } = stored;
  // Another version of the runtime may be able to read it, and wrote other fields.
  if (stored.file !== candidate.file || declared === undefined || (problem && stored.version !== version))
    return undefined;
  const reading = { isRead, files, stamps, content, item, problem, seemingKey, tries: 0, failure: undefined };
  return { candidate, declared, parsedAt, ...reading };
}

/** Why nothing is served under the key of the entry; undefined when something is. */
export function failureOf({ candidate, item, problem, seemingKey, failure }: Entry): KeyFailure | undefined {
  if (failure) return failure;
  if (!problem || item || seemingKey === undefined) return undefined;
  return refusal(seemingKey, candidate.shown, problem);
}
