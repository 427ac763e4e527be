/** Entry of the install process: runs the installations of its host, one at a time, and exits with its host. */
import { install } from "./install.ts";
import type { InstallAnswer, InstallQuestion } from "../messages.ts";
import { boundedProblem, findProblem } from "./problem.ts";

/** Characters of an unexpected error that the host gets. */
const longestStack = 16_000;

async function answer(question: InstallQuestion): Promise<void> {
  let reply: InstallAnswer;
  try {
    reply = await install(question, (progress) => process.send?.(progress));
  } catch (error) {
    const problem = findProblem(error, Object.values(question.roots));
    const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
    reply = problem
      ? { kind: "failed", problem: boundedProblem(problem) }
      : { kind: "broken", message: message.slice(0, longestStack) };
  }
  process.send?.(reply);
}

process.on("message", (question: InstallQuestion) => void answer(question));
process.on("disconnect", () => process.exit(1));
