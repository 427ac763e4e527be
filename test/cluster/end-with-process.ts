import type { ChildProcess } from "node:child_process";

/** Sends the signal to the child when this process exits before it. */
export function endWithProcess(child: ChildProcess, signal: NodeJS.Signals): void {
  const end = (): void => void child.kill(signal);
  process.once("exit", end);
  child.once("exit", () => void process.off("exit", end));
}
