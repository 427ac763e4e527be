import type { SandboxSeen } from "./sandbox-view.ts";
import { differingNames, type Seen } from "./view.ts";

/** One package, at both places. */
export interface Surveyed {
  readonly name: string;
  readonly version: string;
  /** Components that import it. */
  readonly components: number;
  readonly node: Seen;
  readonly sandbox: SandboxSeen;
  /** Why it cannot work, where it cannot. */
  readonly reason?: string;
}

const shownNames = 4;
const shownChars = 160;

const short = (text: string): string => (text.length > shownChars ? `${text.slice(0, shownChars)}…` : text);
const cell = (text: string): string => text.replaceAll("|", String.raw`\|`).replaceAll("\n", " ");
const outcome = (seen: Seen): string => ("view" in seen ? "yes" : `no: ${short(seen.failure)}`);

function shownDifferences({ node, sandbox }: Surveyed): string {
  if (!("view" in node) || !("view" in sandbox)) return "";
  const names = differingNames(node.view, sandbox.view);
  const more = names.length > shownNames ? [`and ${names.length - shownNames} more`] : [];
  return [...names.slice(0, shownNames), ...more].join("; ");
}

function shownUse({ node, sandbox }: Surveyed): string {
  if (!("view" in node) || !("view" in sandbox) || node.view.used === null) return "";
  const { used } = sandbox.view;
  return used === node.view.used ? "same" : `${short(used ?? "nothing")}, not ${short(node.view.used)}`;
}

function shownCost({ sandbox: { cost } }: Surveyed): readonly string[] {
  if (!cost) return ["", "", ""];
  const { bundleBytes, loadMs, memoryBytes } = cost;
  const inMegabytes = (bytes: number): string => (bytes / 1024 / 1024).toFixed(1);
  return [String(Math.round(bundleBytes / 1024)), (loadMs / 1000).toFixed(1), inMegabytes(memoryBytes)];
}

const row = (surveyed: Surveyed): string => {
  const { name, version, components, node, sandbox, reason = "" } = surveyed;
  const seen = [outcome(sandbox), outcome(node), shownDifferences(surveyed), shownUse(surveyed)];
  const cells = [`\`${name}\` ${version}`, String(components), ...seen, ...shownCost(surveyed), reason];
  return `| ${cells.map(cell).join(" | ")} |`;
};

/**
 * Part of `total` components that load at least, of packages that Node can load itself: no two that fail are taken for one.
 */
export function loadingShare(all: readonly Surveyed[], total: number): number {
  const failing = all.filter(({ node, sandbox }) => "view" in node && !("view" in sandbox));
  return 1 - failing.reduce((sum, { components }) => sum + components, 0) / total;
}

/** `SURVEY.md`. */
export function surveyTable(all: readonly Surveyed[], total: number): string {
  const loading = all.filter(({ sandbox }) => "view" in sandbox);
  const alike = loading.filter((each) => shownDifferences(each) === "" && ["", "same"].includes(shownUse(each)));
  return [
    "# Packages that components import, in the sandbox and in Node",
    "",
    "Written by `npm run compatibility:survey`: for each package one component that imports everything of it and uses it a",
    "little, without network. Compared are the exported names, the kinds of their values, and what the use gives.",
    "",
    `${all.length} packages, ${loading.length} load in the sandbox, ${alike.length} of them with nothing different.`,
    `Of ${total} components, at least ${(loadingShare(all, total) * 100).toFixed(2)} % find every package loading.`,
    "",
    "| Package | Components | Sandbox | Node | Names that differ | Use | KB | Seconds to load | MB of memory | Why |",
    "| --- | ---: | --- | --- | --- | --- | ---: | ---: | ---: | --- |",
    ...all.map(row),
    "",
  ].join("\n");
}
