import { complexInputs } from "../attacks/complexity/all.ts";
import { excesses, measure, most, wantedPeakMs } from "../attacks/complexity/measure.ts";

type Cells = readonly [
  id: string,
  size: string,
  quarter: string,
  whole: string,
  growth: string,
  peak: string,
  slowness: string,
];
const widths = [34, 9, 8, 9, 7, 8, 8] as const;
const row = (cells: Cells): string =>
  cells.map((cell, index) => (index === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[index] ?? 0))).join("  ");

/** Measures every input of the class whose id contains a text, and prints a line for each. Resolves with what is beyond the limits. */
export async function printTable(only: string, print: (line: string) => void): Promise<readonly string[]> {
  print(row(["input", "size", "ms, 1/4", "ms, whole", "growth", "stretch", "slowness"]));
  print(row(["limit", "", "", `${most.ms}`, `${most.growth}`, `${wantedPeakMs}`, ""]));
  const problems: string[] = [];
  for (const input of complexInputs.filter(({ id }) => id.includes(only))) {
    const measured = await measure(input);
    const { quarter, whole, growth, slowness } = measured;
    const numbers = [quarter.ms, whole.ms, growth, whole.peakMs, slowness].map((value) => value.toFixed(1));
    const [quarterMs = "", wholeMs = "", grown = "", peakMs = "", slow = ""] = numbers;
    const found = excesses(measured);
    const mark = found.length > 0 ? "  TOO MUCH" : whole.peakMs < wantedPeakMs ? "" : "  long";
    print(row([input.id, `${input.size}`, quarterMs, wholeMs, grown, peakMs, slow]) + mark);
    problems.push(...found.map((text) => `${input.id}: ${text}`));
  }
  return problems;
}
