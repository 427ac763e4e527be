import { join } from "node:path";

import type { Logger } from "@x/model";
import type { RegistryParts } from "./contract.ts";
import type { Entry, Reading } from "./entry.ts";
import { type Contents, stampsOf } from "./fingerprint.ts";
import { itemOf } from "./list.ts";
import { exportsNoComponent, isClosing, isTransient, packageFailure, ranOut, registryProblem } from "./problem.ts";
import type { Candidate, Listing } from "./scan.ts";

export interface ReadCandidateParts extends Pick<RegistryParts, "save" | "seemingKey" | "logger"> {
  readonly root: string;
  readonly listing: Listing;
  readonly contents: Contents;
  /** Somebody waits for it. */
  readonly isAsked: boolean;
  isClosed(): boolean;
}

export interface ReadFile {
  readonly reading: Reading;
  /** True when time or memory ran out for the first time. */
  readonly isWorthAnother: boolean;
}

/** Saves the component of a file, and says what is known of the file then; undefined when the runtime closes. */
export async function readCandidate(
  candidate: Candidate,
  known: Entry | undefined,
  parts: ReadCandidateParts,
): Promise<ReadFile | undefined> {
  const { save, root, listing, contents } = parts;
  let names: readonly string[] = [];
  const module = { file: candidate.file, root: candidate.root };
  const result = await save(module, (files) => (names = files), parts.isAsked).then(
    (component) => ({ component }),
    (error: unknown) => ({ error }),
  );
  if (parts.isClosed() || ("error" in result && isClosing(result.error))) return undefined;
  const files = names.length > 0 ? [candidate.file, ...names.map((name) => join(candidate.root, name))] : [];
  const facts = {
    isRead: true,
    files,
    // When it could not be bundled, any change may fix it: the missing files are unknown.
    stamps: files.length > 0 ? await stampsOf(files, root, listing) : listing.digest,
    content: files.length > 0 ? await contents.of(files, root) : undefined,
  };
  if ("error" in result) {
    const reading = { ...facts, ...(await failed(result.error, candidate, known, parts)) };
    return { reading, isWorthAnother: ranOut(result.error) && reading.tries === 1 };
  }
  const item = itemOf(candidate.shown, result.component);
  const reading = { ...facts, item, problem: undefined, seemingKey: undefined, tries: 0, failure: undefined };
  return { reading, isWorthAnother: false };
}

async function failed(
  error: unknown,
  candidate: Candidate,
  known: Entry | undefined,
  { seemingKey, logger }: ReadCandidateParts,
): Promise<Pick<Reading, "item" | "problem" | "seemingKey" | "tries" | "failure">> {
  const problem = registryProblem(error);
  if (problem.code === "internal") logCause(candidate, error, logger);
  const item = known?.item;
  const isOther = exportsNoComponent(error) && !item;
  const key = isOther ? undefined : (candidate.publishedKey ?? (await seemingKey(candidate)));
  return {
    item,
    problem: isOther ? undefined : problem,
    seemingKey: key,
    tries: isTransient(error) ? 1 : ranOut(error) ? (known?.tries ?? 0) + 1 : 0,
    failure: key === undefined ? undefined : packageFailure(error, key),
  };
}

function logCause({ shown }: Candidate, error: unknown, logger: Logger): void {
  const cause = error instanceof Error ? error.cause : undefined;
  logger.error("a file of the registry caused an internal error", {
    file: shown,
    error: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause),
  });
}
