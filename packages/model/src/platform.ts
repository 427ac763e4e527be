/** The versions of Node that x runs on; equal to `engines` of every package. */
export const nodeRange = "^22.22.2 || ^24.15.0 || >=26.0.0";

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

/** Programs that pass for Node, by their names in `process.versions`. Of what the sandbox needs of Node, they lack some. */
const others: readonly (readonly [name: string, title: string])[] = [
  ["bun", "Bun"],
  ["deno", "Deno"],
];

/** One sentence where x does not run: on an unsupported Node, or on no Node. `versions` are those of the process. */
export function findPlatformProblem(versions: { readonly [name: string]: string | undefined }): string | undefined {
  const alternatives = alternativesOf(nodeRange);
  const other = others.find(([name]) => versions[name] !== undefined);
  const node = versions["node"] ?? "";
  if (!other && alternatives.some((each) => admits(each, versionOf(node)))) return undefined;
  const running = other ? `${other[1]} ${versions[other[0]]}` : `Node ${node}`;
  return `x needs Node ${rangeText(alternatives)}; this is ${running}; install one from https://nodejs.org`;
}

/** Throws the sentence of `findPlatformProblem` in a process where x does not run. */
export function checkPlatform(): void {
  const problem = findPlatformProblem(process.versions);
  if (problem !== undefined) throw new Error(problem);
}
