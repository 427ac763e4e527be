import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

import { type Exported, exportedBy } from "./api-reference/exported.ts";

const root = new URL("../", import.meta.url);
const stale = "The page is made from the code: vitest run test/api-reference.test.ts -u";
const begin = (page: string): string =>
  `Begin with ${page}. Here is everything that the package exports, with its docstring.`;

const pages = [
  { name: "runtime", intro: `The runtime for your own service. ${begin("[embedding](../embedding.md)")}` },
  {
    name: "testing",
    intro:
      `The harness of tests. ${begin("[testing components](../testing.md)")}\n\n` +
      "`@x/testing/vitest` exports the same, closes sources at the end of their test, and adds the\n[matchers](#sourcematchers) to `expect`.",
  },
  { name: "server", intro: `REST over a runtime. ${begin("[mounting](../embedding.md#mounting)")}` },
  {
    name: "client",
    intro:
      "The REST interface for programs. Here is everything that the package exports, with its docstring, but for the types of requests and\n" +
      "answers: [REST](../rest.md) lists the operations, and `/docs` of a service shows what they take and answer.",
  },
] as const;

const isRestType = (file: string): boolean => file.includes("/client/src/rest/");

const entryOf = ({ name, text, signature }: Exported): string =>
  [`### ${name}`, ...(text === "" ? [] : [text]), `\`\`\`ts\n${signature}\n\`\`\``].join("\n\n");

const byName = (a: Exported, b: Exported): number => (a.name.toLowerCase() < b.name.toLowerCase() ? -1 : 1);

test.for(pages)("the page of @x/$name has everything that it exports, with docstrings", async ({ name, intro }) => {
  const all = [...exportedBy(fileURLToPath(new URL(`packages/${name}/src/index.ts`, root)), isRestType).values()];
  const of = (kind: Exported["kind"]): Exported[] => all.filter((each) => each.kind === kind).toSorted(byName);
  const parts = [`# @x/${name}`, intro, "## Functions and values", ...of("value").map(entryOf), "## Types"];
  const page = fileURLToPath(new URL(`docs/reference/${name}.md`, root));
  await expect(`${[...parts, ...of("type").map(entryOf)].join("\n\n")}\n`, stale).toMatchFileSnapshot(page);
  expect(all.length).toBeGreaterThan(10);
  expect(of("value").filter(({ text }) => text === "")).toEqual([]);
});
