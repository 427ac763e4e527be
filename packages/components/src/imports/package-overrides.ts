import type { PackageFile } from "./package-source.ts";

/** Returns the replacement for the text of a module. */
export type Override = (text: string, version: string) => string;

/** form-data brings a table of all types of files, and few components send a form that axios makes. */
const lateFormData = `function FormData(...given) {
  return Reflect.construct(require("form-data"), given);
}`;

/**
 * An error of axios arises long after the component's own frames have left the stack, and this engine keeps no frames
 * over an \`await\`, as Node's does: those of the call are added behind its own.
 */
const callerShown = `
{
  const { request } = Axios.prototype;
  const shown = new WeakSet();
  const isFrame = (line) => line.startsWith("    at ");
  Axios.prototype.request = function (...given) {
    const called = new Error();
    return request.apply(this, given).catch((error) => {
      if (error instanceof Error && typeof error.stack === "string" && !shown.has(error)) {
        shown.add(error);
        const lines = error.stack.trimEnd().split("\\n");
        const cause = lines.findIndex((line) => line.startsWith("Caused by:"));
        lines.splice(cause < 0 ? lines.length : cause, 0, ...called.stack.split("\\n").filter(isFrame).slice(1));
        error.stack = lines.join("\\n");
      }
      throw error;
    });
  };
}
`;

/** Modules of axios that need changes in a sandbox. */
const axiosModules: { readonly [file: string]: Override } = {
  "lib/core/Axios.js": (text) => text + callerShown,
  "lib/defaults/env/FormData.js": () => `module.exports = ${lateFormData};`,
  "lib/platform/node/classes/FormData.js": () => `export default ${lateFormData}`,
  // axios prefers the adapter for Node's `http`.
  "lib/adapters/xhr.js": (_text, version) => (version.startsWith("0.") ? "" : "export default false;"),
  // A second copy of the same modules in one file.
  "dist/node/axios.cjs": () => `module.exports = require("../../index.js").default;`,
};

/** Modules of packages that are replaced in a sandbox. The behaviour of the package stays the same. */
const overrides: { readonly [packageName: string]: { readonly [file: string]: Override } } = {
  axios: axiosModules,
  // Debug output would load a package at the first request.
  "follow-redirects": { "debug.js": () => "module.exports = () => {};" },
};

/** The text to bundle for a file: a replacement, or its own text. */
export const overrideText = ({ subpath, package: { name, version } }: PackageFile, text: string): string =>
  overrides[name]?.[subpath]?.(text, version) ?? text;
