import type { Message } from "esbuild";

import type { ComponentWarning } from "@x/model";
import { bundleProblem } from "./bundle-problem.ts";

/** Members of `import.meta` that name a place; `import.meta.main` alone is rightly undefined. */
const used = /^import\s*\.\s*meta\s*(?:\?\s*)?\.\s*(url|dirname|filename|resolve|env)\b/;

/** Warnings about `import.meta.url` and the like in the author's files, from the messages of esbuild. */
export const importMetaWarnings = (messages: readonly Message[], prefix: string): ComponentWarning[] =>
  messages.flatMap((message) => {
    const { id, location } = message;
    if (id !== "empty-import-meta" || !location?.file.startsWith(prefix)) return [];
    const { file, line, column } = bundleProblem(message, prefix);
    const member = used.exec(location.lineText.slice((column ?? 1) - 1))?.[1];
    if (member === undefined || file === undefined || line === undefined || column === undefined) return [];
    const instead =
      member === "env"
        ? "declare a prop, and read this.<prop>"
        : `import JSON and code by their path, as in import data from "./data.json"`;
    const text = `import.meta.${member} is undefined: a component runs without its files and without an environment; ${instead}`;
    return [{ rule: "import-meta", path: "", message: text, file, line, column }];
  });
