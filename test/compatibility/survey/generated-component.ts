import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";

/** Of this folder, whose `node_modules` has all the packages. */
export const surveyFolder = import.meta.dirname;

/** Of the generated components, inside `surveyFolder`. */
export const generatedFolder: string = join(surveyFolder, ".tmp");

/** Writes a component that imports everything of a package and emits what it found. Returns the file. */
export function writeComponent(
  { name, specifier }: { readonly name: string; readonly specifier: string },
  { withDefault = false } = {},
): string {
  mkdirSync(generatedFolder, { recursive: true });
  const file = join(generatedFolder, `${specifier.replace("/", "__")}.mjs`);
  const found = withDefault ? "{ ...all, default: byDefault }" : "all";
  const lines = [
    `import ${withDefault ? "byDefault, " : ""}* as all from ${JSON.stringify(specifier)};`,
    `import { inspect } from "../inspect.mjs";`,
    `import { uses } from "../uses.mjs";`,
    `export default {`,
    `  name: "Survey", version: "0.0.1", props: {},`,
    `  async run() { this.$emit(await inspect(${found}, uses[${JSON.stringify(name)}])); },`,
    `};`,
    "",
  ];
  writeFileSync(file, lines.join("\n"));
  return file;
}
