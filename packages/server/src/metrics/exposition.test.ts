import { Counter, Gauge, Histogram, Registry } from "prom-client";
import { expect, test } from "vitest";

import { expositionType, formatMetrics, type Metric } from "./exposition.ts";

const hostile = 'a "quoted" \\ back\nslash {}';

test("the text is the one of the usual client, for each type, with labels and odd values", async () => {
  const registry = new Registry();
  const registers = [registry];
  const counter = new Counter({ name: "a_total", help: `Help \\ with\nbreaks`, labelNames: ["reason"], registers });
  counter.inc({ reason: hostile }, 3);
  counter.inc({ reason: "é𝄞" }, 0.25);
  const gauge = new Gauge({ name: "b", help: "A gauge.", registers });
  gauge.set(Infinity);
  const histogram = new Histogram({
    name: "c_seconds",
    help: "Times.",
    labelNames: ["phase"],
    buckets: [0.001, 1],
    registers,
  });
  for (const value of [0.0005, 0.001, 0.5, 7]) histogram.observe({ phase: "queued" }, value);

  const metrics: Metric[] = [
    {
      name: "a_total",
      help: `Help \\ with\nbreaks`,
      type: "counter",
      samples: [
        { labels: { reason: hostile }, value: 3 },
        { labels: { reason: "é𝄞" }, value: 0.25 },
      ],
    },
    { name: "b", help: "A gauge.", type: "gauge", samples: [{ value: Infinity }] },
    {
      name: "c_seconds",
      help: "Times.",
      type: "histogram",
      samples: [
        {
          labels: { phase: "queued" },
          histogram: { bounds: [0.001, 1], counts: [2, 1, 1], count: 4, sum: 0.0005 + 0.001 + 0.5 + 7 },
        },
      ],
    },
  ];
  const lines = (text: string): string[] => text.split("\n").filter((line) => line !== "");
  expect(lines(formatMetrics(metrics))).toEqual(lines(await registry.metrics()));
  expect(expositionType).toBe(registry.contentType);
});
