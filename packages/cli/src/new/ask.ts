import { createInterface } from "node:readline";

import { UsageError } from "../errors.ts";
import type { Template } from "./template.ts";

/** The template with this name or number. */
export function findTemplate(answer: string, templates: readonly Template[]): Template | undefined {
  const choice = answer.trim().toLowerCase();
  return templates.find(({ name }, index) => choice === name || choice === String(index + 1));
}

/** A terminal for questions. */
export interface Terminal {
  readonly input: NodeJS.ReadableStream;
  readonly output: NodeJS.WritableStream;
}

interface Question<Answer> {
  readonly intro?: string;
  readonly prompt: string;
  /** The answer; undefined: ask again. */
  find(answer: string): Answer | undefined;
  /** Error message when the terminal ends without an answer. */
  readonly unanswered: string;
}

/** Asks until there is a valid answer. Rejects with `UsageError` when the terminal ends first. */
async function ask<Answer>({ input, output }: Terminal, question: Question<Answer>): Promise<Answer> {
  const lines = createInterface({ input, output });
  lines.once("SIGINT", () => lines.close());
  if (question.intro !== undefined) output.write(question.intro);
  lines.setPrompt(question.prompt);
  lines.prompt();
  try {
    for await (const answer of lines) {
      const found = question.find(answer);
      if (found !== undefined) return found;
      lines.prompt();
    }
  } finally {
    lines.close();
  }
  // Ends the line of the question.
  output.write("\n");
  throw new UsageError(question.unanswered);
}

/** Asks for a name until `parse` accepts it; prints each `UsageError` that `parse` throws. */
export function askName(terminal: Terminal, parse: (answer: string) => string): Promise<string> {
  return ask(terminal, {
    prompt: "Name of the component, such as new-orders: ",
    find(answer) {
      try {
        return parse(answer.trim());
      } catch (error) {
        if (!(error instanceof UsageError)) throw error;
        terminal.output.write(`${error.message}\n`);
        return undefined;
      }
    },
    unanswered: "Which NAME?",
  });
}

const yes = /^(?:y|yes)$/i;
const no = /^(?:n|no)$/i;

/** Asks a question that is answered with yes or no. */
export const askYes = (terminal: Terminal, prompt: string): Promise<boolean> =>
  ask(terminal, {
    prompt,
    find(answer) {
      if (yes.test(answer.trim())) return true;
      return no.test(answer.trim()) ? false : undefined;
    },
    unanswered: "Yes or no?",
  });

export function askTemplate(terminal: Terminal, templates: readonly Template[]): Promise<Template> {
  const width = Math.max(...templates.map(({ name }) => name.length));
  const list = templates.map(({ name, about }, index) => `  ${index + 1}  ${name.padEnd(width)}  ${about}\n`);
  return ask(terminal, {
    intro: `Which template?\n${list.join("")}`,
    prompt: `1 to ${templates.length}, or a name: `,
    find: (answer) => findTemplate(answer, templates),
    unanswered: "No template was chosen",
  });
}
