import { delimiter, dirname } from "node:path";

/** Folders of Node, as `npm run test:packed` gives them; default: the one that runs the tests. */
export const nodeFolders: readonly string[] = process.env["X_TEST_NODES"]?.split(delimiter) ?? [
  dirname(process.execPath),
];
