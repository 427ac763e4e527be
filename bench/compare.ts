/** Figures as ratios to something that was measured in the same run, so that machines cancel out; more is worse. */
export interface Ratios {
  readonly [name: string]: number;
}

/** A ratio may be this many times that of the baseline. */
export const tolerance = 1.5;

/** A line for each ratio; those that are worse than tolerated, or are not in the baseline, begin with `warning: `. */
export function compareRatios(found: Ratios, baseline: Ratios): string[] {
  const lines = Object.entries(found).map(([name, ratio]) => {
    const before = baseline[name];
    if (before === undefined) return `warning: ${name}: ${ratio.toFixed(2)}, not in the baseline`;
    const times = ratio / before;
    const line = `${name}: ${ratio.toFixed(2)}, ${times.toFixed(2)} x the baseline of ${before.toFixed(2)}`;
    // What is not a number is worse, too.
    return times <= tolerance ? line : `warning: ${line}`;
  });
  const missing = Object.keys(baseline).filter((name) => !(name in found));
  return [...lines, ...missing.map((name) => `warning: ${name}: in the baseline, but not measured`)];
}
