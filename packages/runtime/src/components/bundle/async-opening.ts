/** What hands the exports of a module out, in a bundle in which something is awaited at the top level. */
export const takeExports = "x_takeExports";

/** What `import.meta` is in such a bundle. */
export const importMeta = "x_importMeta";

/** How such a bundle begins. */
export const asyncOpening: string = `return (async (${takeExports}) => { "use strict"; const ${importMeta} = {};`;

/** Is that a bundle in which something is awaited at the top level? */
export const isAsyncBundle = (bundle: string): boolean => bundle.startsWith(asyncOpening);
