/** Name of the function that receives the exports of a bundle with top-level await. */
export const takeExports = "x_takeExports";

/** Name of `import.meta` in such a bundle. */
export const importMeta = "x_importMeta";

/** The beginning of such a bundle. */
export const asyncOpening: string = `return (async (${takeExports}) => { "use strict"; const ${importMeta} = {};`;

/** True for a bundle with top-level await. */
export const isAsyncBundle = (bundle: string): boolean => bundle.startsWith(asyncOpening);
