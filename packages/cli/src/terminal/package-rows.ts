import type { ComponentPackage } from "@x/runtime";

/** Why it is that version. */
function reasonOf({ from, range, manifest }: ComponentPackage): string {
  if (from === "package.json") return `${range ?? ""} in ${manifest ?? ""}`;
  if (from === "import") return `${range ?? ""} in the code`;
  return from === "node_modules" ? "installed beside the file" : "current when it was first deployed";
}

/** Each package that the code names: its name, its version, and where that comes from. */
export const packageRows = (packages: readonly ComponentPackage[] = []): (readonly [string, string])[] =>
  packages.filter(({ from }) => from !== undefined).map((each) => [each.name, `${each.version}  (${reasonOf(each)})`]);
