/** A file that the build has made. Bundles lie one folder down in `dist`, as this file does in `src`: only files at this depth find it. */
export const builtFile = (name: string): URL => new URL(`../../dist/${name}`, import.meta.url);
