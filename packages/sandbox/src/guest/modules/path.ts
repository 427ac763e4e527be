import path from "path-browserify";

import { completed } from "../node/unavailable.ts";

const functions = Object.entries(path).flatMap(([name, value]) => (typeof value === "function" ? [name] : []));

// Components see POSIX paths only: `path.win32` exists, and its functions throw.
export default Object.assign(path, {
  toNamespacedPath: (given: string) => given,
  win32: completed("path.win32", { sep: "\\", delimiter: ";" }, functions.join(" "), {}),
});
