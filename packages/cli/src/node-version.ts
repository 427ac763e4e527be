const partsOf = (version: string): number[] => version.split(".").map(Number);

function isOlder(running: string, needed: string): boolean {
  const [have, want] = [partsOf(running), partsOf(needed)];
  const at = want.findIndex((part, index) => part !== have[index]);
  return at !== -1 && (have[at] ?? 0) < (want[at] ?? 0);
}

/** What keeps x from running on this Node; `range` is `>=` and a version. Undefined: nothing does. */
export function findNodeProblem(running: string, range: string): string | undefined {
  const needed = range.replace(/^>=/, "");
  if (!isOlder(running, needed)) return undefined;
  return `error: x needs Node ${needed} or newer, and this is Node ${running}; install a newer one from https://nodejs.org`;
}
