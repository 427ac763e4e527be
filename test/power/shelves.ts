import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** A folder of components whose builds a service keeps in its data folder. */
export interface Shelves {
  readonly folder: string;
  readonly keys: readonly string[];
  /** The present version of all components. */
  version(): string;
  /** Writes the next version of all components. */
  change(): void;
}

const count = 4;

export function createShelves(folder: string): Shelves {
  const keys = Array.from({ length: count }, (_, n) => `shelf-${n}`);
  let version = 0;
  const write = (): void => {
    for (const key of keys) {
      const code = `export default { key: "${key}", name: "Shelf", version: "${version}", run() {} };\n`;
      writeFileSync(join(folder, `${key}.mjs`), code);
    }
  };
  mkdirSync(folder);
  write();
  return {
    folder,
    keys,
    version: () => String(version),
    change() {
      version += 1;
      write();
    },
  };
}
