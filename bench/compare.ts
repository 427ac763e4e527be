/** Figures as ratios to a reference measured in the same run, so that they do not depend on the machine; lower is better. */
export interface Ratios {
  readonly [name: string]: number;
}

/** Maximum quotient of a ratio and that of the baseline. */
export const tolerance = 1.5;

/** One line for each ratio; lines of ratios that exceed the tolerance, or are not in the baseline, begin with `warning: `. */
export function compareRatios(found: Ratios, baseline: Ratios): string[] {
  const lines = Object.entries(found).map(([name, ratio]) => {
    const before = baseline[name];
    if (before === undefined) return `warning: ${name}: ${ratio.toFixed(2)}, not in the baseline`;
    const times = ratio / before;
    const line = `${name}: ${ratio.toFixed(2)}, ${times.toFixed(2)} x the baseline of ${before.toFixed(2)}`;
    // NaN is a warning, too.
    return times <= tolerance ? line : `warning: ${line}`;
  });
  const missing = Object.keys(baseline).filter((name) => !(name in found));
  return [...lines, ...missing.map((name) => `warning: ${name}: in the baseline, but not measured`)];
}
