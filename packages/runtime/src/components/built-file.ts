import { fileURLToPath } from "node:url";

/**
 * The path of a file that the build writes to `dist`. This module is two folders below the package, as its bundle
 * `dist/bundled/index.js` is; a module in a deeper folder would resolve another path from there.
 */
export const builtFile = (name: string): string => fileURLToPath(new URL(`../../dist/${name}`, import.meta.url));
