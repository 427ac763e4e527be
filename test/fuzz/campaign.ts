import { asyncProperty, check } from "fast-check";

import type { Target } from "./fuzzer.ts";

export interface CampaignOptions {
  readonly seed: number;
  /** Most inputs. */
  readonly runs?: number;
  /** Longest time. */
  readonly ms?: number;
  /** Repeats one input of an earlier campaign with this seed. */
  readonly path?: string;
}

export interface Failure {
  /** The smallest input that was found. */
  readonly input: unknown;
  readonly error: unknown;
  /** Leads to it again, with the same seed. */
  readonly path: string;
}

export interface CampaignReport {
  /** Inputs that were tried, without those of shrinking. */
  readonly runs: number;
  readonly failure?: Failure;
}

const maxRuns = 2 ** 31 - 1;

/** Tries inputs until one fails, or enough have passed. */
export async function runCampaign(
  { arbitrary, property }: Target,
  { seed, runs = maxRuns, ms, path }: CampaignOptions,
): Promise<CampaignReport> {
  let trying: Promise<void> = Promise.resolve();
  const details = await check(
    asyncProperty(arbitrary, (input) => (trying = (async () => property(input))())),
    {
      seed,
      numRuns: runs,
      ...(path !== undefined && { path, endOnFailure: true }),
      ...(ms !== undefined && { interruptAfterTimeLimit: ms, markInterruptAsFailure: false }),
    },
  );
  // At the end of the time its last input is still being tried; what it uses must not be closed meanwhile.
  await trying.catch(() => undefined);
  // Without one, only the time has ended.
  if (!details.failed || !details.counterexample) return { runs: details.numRuns };
  const [input] = details.counterexample;
  const failure = { input, error: details.errorInstance, path: details.counterexamplePath ?? "" };
  return { runs: details.numRuns, failure };
}
