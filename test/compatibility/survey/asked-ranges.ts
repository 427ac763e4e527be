import { readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** A package in the range that manifests ask for, and the number of files below these manifests that import it. */
export interface AskedRange {
  readonly name: string;
  readonly range: string;
  readonly components: number;
}

const code = /\.[cm]?[jt]s$/;
const imports = /(?:\bfrom|\bimport|\brequire\()\s*["']((?:@[\w.-]+\/)?[\w.-]+)/g;
/** A range of a registry: what a path, an address or a workspace gives is not installed. */
const ofRegistry = /^[\w.^~<>=*|\s-]+$/;

const filesBelow = (folder: string): readonly string[] =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((name) => !/(?:^|[/\\])node_modules[/\\]/.test(name))
    .map((name) => join(folder, name));

function dependenciesAt(manifest: string): ReadonlyMap<string, string> {
  const { dependencies = {} } = JSON.parse(readFileSync(manifest, "utf8")) as {
    readonly dependencies?: { readonly [name: string]: string };
  };
  return new Map(Object.entries(dependencies).filter(([, range]) => ofRegistry.test(range)));
}

/** What the files of a folder import, in the ranges of the nearest package.json that has one. */
export function askedRanges(folder: string): readonly AskedRange[] {
  const files = filesBelow(folder);
  const manifests = new Map(
    files.filter((file) => /[/\\]package\.json$/.test(file)).map((file) => [dirname(file), dependenciesAt(file)]),
  );
  const rangeOf = (name: string, from: string): string | undefined =>
    manifests.get(from)?.get(name) ?? (from === folder ? undefined : rangeOf(name, dirname(from)));
  const counts = new Map<string, AskedRange>();
  for (const file of files.filter((each) => code.test(each))) {
    const names = new Set(Array.from(readFileSync(file, "utf8").matchAll(imports), ([, name = ""]) => name));
    for (const name of names) {
      const range = rangeOf(name, dirname(file));
      if (range === undefined) continue;
      const id = `${name}@${range}`;
      counts.set(id, { name, range, components: (counts.get(id)?.components ?? 0) + 1 });
    }
  }
  return [...counts.values()].toSorted((one, other) => other.components - one.components);
}
