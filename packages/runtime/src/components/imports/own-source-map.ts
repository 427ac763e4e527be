/** esbuild reads the file URL of a module's last source map comment from the disk, so ours comes last and names none. */
const ownComment = "\n//# sourceMappingURL=none";

/** Code whose own source map, if it names one, is not looked for. */
export const withoutSourceMap = (text: string): string =>
  text.includes("sourceMappingURL") ? text + ownComment : text;
