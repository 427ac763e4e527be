import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { createRuntime } from "@x/runtime";
import { createMetrics } from "@x/server";
import { beforeAll, expect, test } from "vitest";

interface Described {
  readonly name: string;
  readonly type: string;
  readonly help: string;
  /** The values of each label. */
  readonly labels: ReadonlyMap<string, ReadonlySet<string>>;
}

const docs = fileURLToPath(new URL("../docs", import.meta.url));
const renewal = "vitest run test/metrics-docs.test.ts -u";
const mark = `<!-- From here on made of the code; \`${renewal}\` renews it. -->`;

function describeMetrics(text: string): Described[] {
  return text
    .split("# HELP ")
    .slice(1)
    .map((part) => {
      const [head = "", typeLine = "", ...samples] = part.trimEnd().split("\n");
      const [name = ""] = head.split(" ");
      const labels = new Map<string, Set<string>>();
      for (const [, label = "", value = ""] of samples.join("\n").matchAll(/[{,](\w+)="([^"]*)"/g))
        if (label !== "le") labels.set(label, (labels.get(label) ?? new Set()).add(value));
      return { name, type: typeLine.split(" ").at(-1) ?? "", help: head.slice(name.length + 1), labels };
    });
}

let metrics: readonly Described[] = [];
beforeAll(async () => {
  await using runtime = await createRuntime();
  metrics = describeMetrics(await createMetrics(runtime).text());
});

test("metrics.md lists every metric with its labels", async () => {
  const rows = metrics.map(({ name, type, help, labels }) => {
    const shown = [...labels].map(
      ([label, values]) => `${label}: ${[...values].map((each) => `\`${each}\``).join(" ")}`,
    );
    return `- \`${name}\` (${type}): ${help}${shown.length > 0 ? ` ${shown.join("; ")}` : ""}`;
  });
  expect(rows.length).toBeGreaterThan(25);
  const [written = ""] = (await readFile(`${docs}/metrics.md`, "utf8")).split(mark);
  const page = `${written}${mark}\n\n## Every metric\n\n${rows.join("\n")}\n`;
  await expect(page, `The page is stale: ${renewal}`).toMatchFileSnapshot(`${docs}/metrics.md`);
});

interface Panel {
  readonly id: number;
  readonly targets?: readonly { readonly expr: string; readonly legendFormat: string }[];
}
const readPanels = async (): Promise<readonly Panel[]> =>
  (JSON.parse(await readFile(`${docs}/grafana-dashboard.json`, "utf8")) as { panels: readonly Panel[] }).panels;

const withoutSuffix = (name: string): string => name.replace(/_(?:bucket|sum|count)$/, "");

test("the dashboard shows every metric and no other", async () => {
  const expressions = (await readPanels()).flatMap(({ targets = [] }) => targets.map(({ expr }) => expr));
  const used = expressions.flatMap((expr) => [...expr.matchAll(/\b(?:x|process|nodejs)_\w+/g)].map(([name]) => name));
  const known = new Set(metrics.map(({ name }) => name));
  const shown = new Set(used.map((name) => (known.has(name) ? name : withoutSuffix(name))));
  expect([...shown].toSorted()).toEqual([...known].toSorted());
});

test("the dashboard groups by labels that its metrics have, and its panels have ids of their own", async () => {
  const panels = await readPanels();
  const wrong = panels
    .flatMap(({ targets = [] }) => targets)
    .filter(({ expr, legendFormat }) => {
      const has = new Set(
        metrics.filter(({ name }) => expr.includes(name)).flatMap(({ labels }) => [...labels.keys(), "le"]),
      );
      const grouped = [...expr.matchAll(/by \(([^)]*)\)/g)].flatMap(([, names = ""]) => names.split(", "));
      const named = [...legendFormat.matchAll(/\{\{(\w+)\}\}/g)].map(([, name = ""]) => name);
      return [...grouped, ...named].some((label) => !has.has(label));
    });
  expect(wrong).toEqual([]);
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length);
});
