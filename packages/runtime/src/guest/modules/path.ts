import path from "path-browserify";

import { completed } from "../node/unavailable.ts";

const functions = Object.entries(path).flatMap(([name, value]) => (typeof value === "function" ? [name] : []));

// Components see one kind of path, as on Linux; the other kind can be taken hold of, and not used.
export default Object.assign(path, {
  toNamespacedPath: (given: string) => given,
  win32: completed("path.win32", { sep: "\\", delimiter: ";" }, functions.join(" "), {}),
});
