import { readFile } from "node:fs/promises";
import { fileURLToPath } from "node:url";

import { runCommandLine } from "@x/cli";
import { errorCatalogue, logFields, manualClock } from "@x/runtime";
import { expect, test, vi } from "vitest";

import { services } from "../packages/accounts/src/oauth/services/table.ts";
import { lintRules } from "../packages/cli/src/explain/lint-rules.ts";
import { namedErrors } from "../packages/cli/src/explain/named-errors.ts";
import { describeRoutes } from "../packages/server/src/openapi/document.ts";
import { createSessions } from "../packages/server/src/inspector/sessions.ts";
import { createRoutes } from "../packages/server/src/routes/table.ts";

const docs = fileURLToPath(new URL("../docs", import.meta.url));
const renewal = "vitest run test/docs-lists.test.ts -u";
const mark = `<!-- From here on made of the code; \`${renewal}\` renews it. -->`;

const stale = `The page is stale: ${renewal}`;
const fileOf = (page: string): string => `${docs}/${page}`;

/** The page, with this text after the mark. */
async function renewed(page: string, made: readonly string[]): Promise<string> {
  const [written = ""] = (await readFile(fileOf(page), "utf8")).split(mark);
  return `${written}${mark}\n\n${made.join("\n")}`;
}

test("errors.md lists every code with its status, its meaning and what to do", async () => {
  const coded = Object.entries(errorCatalogue).map(
    ([code, { status, meaning, cause, fix }]) =>
      `### \`${code}\`\n\nHTTP ${status}. ${meaning}\n\n- Why: ${cause}\n- What to do: ${fix}\n`,
  );
  const named = Object.entries(namedErrors).map(
    ([name, { meaning, cause, fix }]) => `### \`${name}\`\n\n${meaning}\n\n- Why: ${cause}\n- What to do: ${fix}\n`,
  );
  const rules = Object.entries(lintRules).map(
    ([name, { meaning, cause, fix }]) => `### \`${name}\`\n\n${meaning}\n\n- Why: ${cause}\n- What to do: ${fix}\n`,
  );
  const made = [
    "## Codes\n",
    ...coded,
    "## Names in logs and records\n",
    ...named,
    "## Rules and warnings\n",
    ...rules,
  ];
  await expect(await renewed("errors.md", made), stale).toMatchFileSnapshot(fileOf("errors.md"));
});

test("troubleshooting.md names only codes and names that errors.md lists", async () => {
  const page = await readFile(fileOf("troubleshooting.md"), "utf8");
  const inCells = page.split("\n").filter((line) => line.startsWith("| "));
  const named = inCells.flatMap((line) =>
    [...line.matchAll(/`([a-z]+(?:_[a-z]+)+|\w+Error)`/g)].map(([, name = ""]) => name),
  );
  const known = new Set([
    ...Object.keys(errorCatalogue),
    ...Object.keys(namedErrors),
    ...Object.keys(lintRules),
    "node_modules",
  ]);
  expect(named.length).toBeGreaterThan(25);
  expect(named.filter((name) => !known.has(name))).toEqual([]);
});

interface Operation {
  readonly summary: string;
  readonly tags: readonly string[];
}
interface Description {
  readonly tags: readonly { readonly name: string; readonly description: string }[];
  readonly paths: { readonly [path: string]: { readonly [method: string]: Operation } };
}

const noStream = (): ReadableStream<Uint8Array> => new ReadableStream();

const notAsked = {
  authenticate: () => Promise.resolve(undefined),
  user: () => Promise.reject(new Error("Nobody signs in.")),
};

/** A table whose columns are as wide as their longest cell. */
function table(rows: readonly (readonly string[])[]): string {
  const widths = (rows[0] ?? []).map((_, column) => Math.max(...rows.map((row) => row[column]?.length ?? 0)));
  const line = (row: readonly string[]): string =>
    `| ${row.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(" | ")} |`;
  const [head = [], ...others] = rows;
  return [line(head), line(widths.map((width) => "-".repeat(width))), ...others.map(line)].join("\n");
}

test("rest.md lists every path of the interface", async () => {
  const sessions = createSessions({ runtime: notAsked, now: () => 0 });
  const routes = createRoutes({
    streams: { open: noStream, openExecutions: noStream, openLogs: noStream },
    clock: manualClock(0),
    inspector: { sessions },
  });
  const { tags, paths } = describeRoutes(routes) as unknown as Description;
  const operations = Object.entries(paths).flatMap(([path, methods]) =>
    Object.entries(methods)
      .filter(([method]) => method !== "servers")
      .map(([method, { summary, tags: of }]) => ({ row: [`\`${method.toUpperCase()} ${path}\``, summary], of })),
  );
  const parts = tags.map(({ name, description }) => {
    const rows = operations.filter(({ of }) => of.includes(name)).map(({ row }) => row);
    return `### ${name}\n\n${description}\n\n${table([["Operation", "What it does"], ...rows])}\n`;
  });
  expect(operations.length).toBeGreaterThan(50);
  await expect(await renewed("rest.md", ["## Every path\n", ...parts]), stale).toMatchFileSnapshot(fileOf("rest.md"));
});

/** The text in lines of at most 120 characters, those of an item of a list. */
const wrapped = (text: string): string => text.replace(/(.{1,120})(?: |$)/g, "$1\n  ").trimEnd();

test("accounts.md lists every known service", async () => {
  const lines = services.map(({ name, label, apps, server, docs: page, note }) => {
    const abilities = [
      ...(server.deviceUrl === undefined ? [] : ["the device flow"]),
      ...(server.revokeUrl === undefined ? [] : ["revocation"]),
    ];
    const more = [
      ...(apps.length > 0 ? [`Apps: ${apps.map((app) => `\`${app}\``).join(", ")}.`] : []),
      ...(abilities.length > 0 ? [`Supports ${abilities.join(" and ")}.`] : []),
      ...(note === undefined ? [] : [`${note}.`]),
    ];
    return [`- \`${name}\`: ${label}, <${page}>.`, ...more.map(wrapped)].join("\n  ");
  });
  const made = [["## Known services", "", "From their public documentation.", "", ...lines, ""].join("\n")];
  await expect(await renewed("accounts.md", made), stale).toMatchFileSnapshot(fileOf("accounts.md"));
});

test("logs.md lists every field", async () => {
  const lines = Object.entries(logFields).map(([name, meaning]) => `- \`${name}\`: ${meaning}`);
  const made = [["## Fields", "", ...lines, ""].join("\n")];
  await expect(await renewed("logs.md", made), stale).toMatchFileSnapshot(fileOf("logs.md"));
});

async function helpOf(...words: string[]): Promise<string> {
  const lines: unknown[] = [];
  const printing = vi.spyOn(console, "log").mockImplementation((line) => void lines.push(line));
  try {
    await runCommandLine([...words, "--help"]);
  } finally {
    printing.mockRestore();
  }
  return lines.join("\n");
}

test("cli.md has the help of every command", async () => {
  const general = await helpOf();
  const names = [...general.matchAll(/^ {2}([a-z][a-z-]+) {2,}\S/gm)].map(([, name = ""]) => name);
  expect(names.length).toBeGreaterThan(12);
  const parts: string[] = [];
  for (const name of names) parts.push(`### x ${name}\n\n\`\`\`text\n${await helpOf(name)}\n\`\`\`\n`);
  await expect(await renewed("cli.md", ["## Every command\n", ...parts]), stale).toMatchFileSnapshot(fileOf("cli.md"));
});
