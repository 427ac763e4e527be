/** A test that Node's engine does not pass, because of what it is. */
export interface Difference {
  readonly file: string;
  /** Names of the suites around it and its own, joined by " > ". */
  readonly test: string;
  readonly reason: string;
  /** It would harm the process: it is not run. */
  readonly harms?: boolean;
}

export const differences: readonly Difference[] = [
  {
    file: "packages/runtime/src/guest/options.test.ts",
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
