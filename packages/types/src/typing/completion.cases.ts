import { dirname } from "node:path";

import ts from "typescript-5.9";

const options: ts.CompilerOptions = {
  target: ts.ScriptTarget.ES2022,
  lib: ["lib.es2022.d.ts"],
  module: ts.ModuleKind.NodeNext,
  moduleResolution: ts.ModuleResolutionKind.NodeNext,
  types: [],
  strict: true,
};

/** The completions of an editor at each `|` in a component; `declarations` is the entry of the package's declarations. */
export function completionsIn(component: string, declarations: string): string[][] {
  const file = `${dirname(declarations)}/edited.ts`;
  const parts = `import { defineComponent } from "@x/types";\nexport default defineComponent(${component});\n`.split(
    "|",
  );
  const service = ts.createLanguageService({
    fileExists: (name) => name === file || ts.sys.fileExists(name),
    readFile: (name) => ts.sys.readFile(name),
    getCurrentDirectory: () => dirname(file),
    getCompilationSettings: () => ({ ...options, paths: { "@x/types": [declarations] } }),
    getScriptFileNames: () => [file],
    getScriptVersion: () => "1",
    getScriptSnapshot: (name) =>
      ts.ScriptSnapshot.fromString(name === file ? parts.join("") : (ts.sys.readFile(name) ?? "")),
    getDefaultLibFileName: ts.getDefaultLibFilePath,
  });
  const offered = parts.slice(1).map((_, index) => {
    const at = parts.slice(0, index + 1).join("").length;
    return service.getCompletionsAtPosition(file, at, {})?.entries.map(({ name }) => name) ?? [];
  });
  service.dispose();
  return offered;
}
