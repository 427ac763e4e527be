/** A test that Node's engine cannot pass. */
export interface Difference {
  readonly file: string;
  /** Names of its suites and its own name, joined by " > ". */
  readonly test: string;
  readonly reason: string;
  /** True: it is not run, because it would harm the process. */
  readonly harms?: boolean;
}

export const differences: readonly Difference[] = [
  {
    file: "packages/sandbox/src/guest/options.test.ts",
    test: "an error of options > all memory",
    reason: "there is no cap on memory",
    harms: true,
  },
  {
    file: "packages/testing/src/source.test.ts",
    test: "a source under test > stops a run that exceeds its time or memory",
    reason: "there is no cap on memory",
    harms: true,
  },
];
