import { createInterface } from "node:readline";

import { UsageError } from "../given/usage-error.ts";
import type { Template } from "./template.ts";

/** The template that an answer means: its name or its number. */
export function findTemplate(answer: string, templates: readonly Template[]): Template | undefined {
  const given = answer.trim().toLowerCase();
  return templates.find(({ name }, index) => given === name || given === String(index + 1));
}

/** A terminal to ask in. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

/** Asks until it has an answer that counts; rejects with `UsageError` when the terminal ends first. */
export async function askTemplate({ input, output }: Terminal, templates: readonly Template[]): Promise<Template> {
  const lines = createInterface({ input, output });
  lines.once("SIGINT", () => lines.close());
  const width = Math.max(...templates.map(({ name }) => name.length));
  const list = templates.map(({ name, about }, index) => `  ${index + 1}  ${name.padEnd(width)}  ${about}\n`);
  output.write(`Which template?\n${list.join("")}`);
  lines.setPrompt(`1 to ${templates.length}, or a name: `);
  lines.prompt();
  try {
    for await (const answer of lines) {
      const template = findTemplate(answer, templates);
      if (template) return template;
      lines.prompt();
    }
  } finally {
    lines.close();
  }
  // The line of the question has no end yet.
  output.write("\n");
  throw new UsageError("No template was chosen");
}
