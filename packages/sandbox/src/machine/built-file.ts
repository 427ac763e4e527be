/** The URL of a file that the build creates. Only modules at this depth can use a relative URL: bundles are in a folder of `dist`. */
export const builtFile = (name: string): URL => new URL(`../../dist/${name}`, import.meta.url);
