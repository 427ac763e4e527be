import { writeFileSync } from "node:fs";
import { join } from "node:path";

import type { Random } from "./random.ts";
import { ask } from "./service.child.ts";

/** A registry whose files change while no service reads them. */
export interface RegistryFolder {
  /** Changes the version of some components. */
  change(): void;
  /** Keys whose version differs from that of their file. */
  judge(url: string): Promise<string[]>;
}

const changedAtOnce = 3;

export function createRegistryFolder(folder: string, count: number, random: Random): RegistryFolder {
  const versions = Array.from({ length: count }, () => 0);
  let changed: number[] = [];
  const write = (n: number): void => {
    const code = `export default { key: "shelf-${n}", name: "Shelf ${n}", version: "${versions[n]}", run() {} };\n`;
    writeFileSync(join(folder, `shelf-${n}.mjs`), code);
  };
  for (const n of versions.keys()) write(n);
  return {
    change() {
      changed = Array.from({ length: changedAtOnce }, () => Math.floor(random() * count));
      for (const n of changed) {
        versions[n] = (versions[n] ?? 0) + 1;
        write(n);
      }
    },
    async judge(url) {
      const problems: string[] = [];
      for (const n of new Set([...changed, Math.floor(random() * count)])) {
        const { data } = await ask<{ data: { version: string } }>(url, "GET", `/components/registry/shelf-${n}`);
        if (data.version !== String(versions[n]))
          problems.push(`shelf-${n} has version ${data.version}, its file ${versions[n]}`);
      }
      return problems;
    },
  };
}
