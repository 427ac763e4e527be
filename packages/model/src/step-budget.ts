/** Bounds the work of one report that is for people: hints, positions, made tests. A report without them comes anyway. */
export interface Budget {
  /** Takes steps of about 10 ns. False when they are more than what is left; then it is used up for good. */
  take(steps: number): boolean;
}

/** Steps of one report: about 100 ms. */
const stepsPerReport = 10_000_000;

/** The budget of one report. */
export function createBudget(steps: number = stepsPerReport): Budget {
  let left = steps;
  return {
    take(count) {
      left -= count;
      return left >= 0;
    },
  };
}

/** Stands in a report for what its budget did not suffice to explain. */
export const notExplained = "not explained: too long";
