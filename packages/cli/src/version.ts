import { createRequire } from "node:module";

interface Manifest {
  readonly version: string;
  readonly engines: { readonly node: string };
}

const readManifest = (): Manifest => createRequire(import.meta.url)("../package.json") as Manifest;

/** The version of x, from its package.json: loading the runtime for it would take long. */
export const readVersion = (): string => readManifest().version;

/** The range of supported versions of Node. */
export const readNodeRange = (): string => readManifest().engines.node;

type Version = readonly [major: number, minor: number, patch: number];

/** `^22.22.2`: from this version on, within 22. `>=26.0.0`: from this version on. */
interface Alternative {
  readonly from: Version;
  readonly isOpen: boolean;
}

function versionOf(text: string): Version {
  const [major = 0, minor = 0, patch = 0] = text.split(".").map(Number);
  return [major, minor, patch];
}

const alternativesOf = (range: string): Alternative[] =>
  range
    .split(" || ")
    .map((text) => ({ from: versionOf(text.replace(/^(?:\^|>=)/, "")), isOpen: text.startsWith(">=") }));

function isOlder(have: Version, want: Version): boolean {
  const at = want.findIndex((part, index) => part !== have[index]);
  return at !== -1 && (have[at] ?? 0) < (want[at] ?? 0);
}

const admits = ({ from, isOpen }: Alternative, version: Version): boolean =>
  !isOlder(version, from) && (isOpen || version[0] === from[0]);

/** `22.22.2 or later (22), 24.15.0 or later (24), or 26.0.0 and later`. */
function rangeText(alternatives: readonly Alternative[]): string {
  const words = alternatives.map(({ from, isOpen }) =>
    isOpen ? `${from.join(".")} and later` : `${from.join(".")} or later (${from[0]})`,
  );
  return words.length === 1 ? String(words[0]) : `${words.slice(0, -1).join(", ")}, or ${words.at(-1)}`;
}

/** The error message for a Node that x does not support; undefined for a supported one. `range` is that of `engines`. */
export function findNodeProblem(running: string, range: string): string | undefined {
  const alternatives = alternativesOf(range);
  const version = versionOf(running);
  if (alternatives.some((each) => admits(each, version))) return undefined;
  return `error: x needs Node ${rangeText(alternatives)}; this is Node ${running}; install one from https://nodejs.org`;
}
