import type { ComponentPackage } from "@x/runtime";

/** The reason for the version. */
function reasonOf({ from, range, manifest }: ComponentPackage): string {
  if (from === "package.json") return `${range ?? ""} in ${manifest ?? ""}`;
  if (from === "import") return `${range ?? ""} in the code`;
  return from === "node_modules" ? "installed beside the file" : "the latest at the first deploy";
}

/** Each package that the code imports: its name, its version and the reason for that. */
export const packageRows = (packages: readonly ComponentPackage[] = []): (readonly [string, string])[] =>
  packages.filter(({ from }) => from !== undefined).map((each) => [each.name, `${each.version}  (${reasonOf(each)})`]);
