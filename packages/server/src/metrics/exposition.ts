import type { Histogram } from "@x/runtime";

/** One value of a metric. */
export interface Sample {
  readonly labels?: { readonly [name: string]: string };
  readonly value: number;
}

/** The values of a histogram metric with these labels; bounds and sum are in the unit of the metric. */
export interface HistogramSample {
  readonly labels?: { readonly [name: string]: string };
  readonly histogram: Histogram;
}

interface Described {
  readonly name: string;
  /** One sentence without a line break. */
  readonly help: string;
}

export type Metric =
  | (Described & { readonly type: "counter" | "gauge"; readonly samples: readonly Sample[] })
  | (Described & { readonly type: "histogram"; readonly samples: readonly HistogramSample[] });

/** The media type of `formatMetrics`. */
export const expositionType = "text/plain; version=0.0.4; charset=utf-8";

const escapeHelp = (text: string): string => text.replace(/[\\\n]/g, (found) => (found === "\n" ? "\\n" : "\\\\"));

const escapeLabel = (text: string): string =>
  text.replace(/[\\\n"]/g, (found) => (found === "\n" ? "\\n" : `\\${found}`));

function shownNumber(value: number): string {
  if (Number.isFinite(value)) return String(value);
  if (Number.isNaN(value)) return "NaN";
  return value > 0 ? "+Inf" : "-Inf";
}

function line(name: string, labels: Sample["labels"], value: number): string {
  const pairs = Object.entries(labels ?? {}).map(([key, text]) => `${key}="${escapeLabel(text)}"`);
  return `${name}${pairs.length > 0 ? `{${pairs.join(",")}}` : ""} ${shownNumber(value)}`;
}

/** Buckets are cumulative, as Prometheus wants them. */
function histogramLines(
  name: string,
  { labels, histogram: { bounds, counts, count, sum } }: HistogramSample,
): string[] {
  let below = 0;
  const buckets = [...bounds, Infinity].map((bound, index) => {
    below += counts[index] ?? 0;
    return line(`${name}_bucket`, { le: shownNumber(bound), ...labels }, below);
  });
  return [...buckets, line(`${name}_sum`, labels, sum), line(`${name}_count`, labels, count)];
}

/** The metrics in the text format of Prometheus. */
export function formatMetrics(metrics: readonly Metric[]): string {
  const lines = metrics.flatMap((metric) => {
    const { name } = metric;
    return [
      `# HELP ${name} ${escapeHelp(metric.help)}`,
      `# TYPE ${name} ${metric.type}`,
      ...(metric.type === "histogram"
        ? metric.samples.flatMap((sample) => histogramLines(name, sample))
        : metric.samples.map(({ labels, value }) => line(name, labels, value))),
    ];
  });
  return `${lines.join("\n")}\n`;
}
