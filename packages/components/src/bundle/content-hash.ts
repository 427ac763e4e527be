import { sha256Hex } from "@x/model";
import type { TsConfig } from "../imports/tsconfig.ts";
import type { BuildBasis, ImportLink } from "./bundle-messages.ts";
import type { BuildFindings, FileTrail } from "./source-plugin.ts";
import { candidates } from "./source-set.ts";

/**
 * SHA-256 over the code alone for one file without packages, else over names, contents and packages. Results of imports
 * are included only where links of the file system change them.
 */
export function contentHash(
  names: readonly string[],
  hashes: BuildBasis["hashes"],
  links: readonly ImportLink[],
  packages: string,
): string {
  const [first, ...others] = names;
  if (first !== undefined && others.length === 0 && packages === "") return hashes[first] ?? "";
  const lines = names.toSorted().map((name) => `${JSON.stringify(name)} ${hashes[name] ?? ""}\n`);
  const known = new Set(names);
  const led = links
    .filter(
      ([specifier, importer, name]) => name !== [...candidates(specifier, importer)].find((each) => known.has(each)),
    )
    .map(([specifier, importer, name]) => `${JSON.stringify([importer, specifier, name])}\n`);
  return sha256Hex(lines.join("") + led.toSorted().join("") + packages);
}

/** What tsconfig.json and `imports` of package.json change; empty when they change nothing. */
export function settingsHash({ mapped }: FileTrail, config: TsConfig | undefined): string {
  const { compilerOptions = {} } = config ?? {};
  if (mapped.size === 0 && Object.keys(compilerOptions).length === 0) return "";
  return sha256Hex(
    JSON.stringify([compilerOptions, Object.fromEntries([...mapped].toSorted(([a], [b]) => (a < b ? -1 : 1)))]),
  );
}

/** SHA-256 of each text. */
export const hashesOf = (inputs: ReadonlyMap<string, string>): { readonly [name: string]: string } =>
  Object.fromEntries([...inputs].map(([name, text]) => [name, sha256Hex(text)]));

/** The same packages with other declarations are another component, because it shows the declarations. */
export function withDeclared(hash: string, declared: BuildFindings["declared"]): string {
  if (declared.size === 0) return hash;
  return sha256Hex(JSON.stringify([hash, [...declared.values()].map((each) => JSON.stringify(each)).toSorted()]));
}
