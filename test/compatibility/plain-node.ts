import { type ChildProcess, fork } from "node:child_process";
import { fileURLToPath } from "node:url";

import type { CallRecord, Scenario } from "./scenario.ts";

export const componentFile = ({ component }: Scenario): string =>
  fileURLToPath(new URL(`components/${component}`, import.meta.url));

interface Reply {
  readonly id: number;
  readonly records?: readonly CallRecord[];
  readonly failure?: string;
}

/** Runs scenarios in one process of Node, one after another. */
export class PlainNode implements AsyncDisposable {
  readonly #child: ChildProcess;
  #jobs = 0;

  constructor() {
    const entry = fileURLToPath(new URL("plain-node.mjs", import.meta.url));
    this.#child = fork(entry, [], { execArgv: [], env: { TZ: "UTC" }, stdio: ["ignore", "ignore", "inherit", "ipc"] });
  }

  /** Rejects when the component cannot be imported. */
  async run(scenario: Scenario, upstream: string): Promise<readonly CallRecord[]> {
    const id = ++this.#jobs;
    const { props, auth, steps, direct } = scenario;
    const { promise, resolve, reject } = Promise.withResolvers<readonly CallRecord[]>();
    const onMessage = (reply: unknown): void => {
      const { id: answered, records, failure } = reply as Reply;
      if (answered !== id) return;
      if (records) resolve(records);
      else reject(new Error(`Node: ${failure}`));
    };
    const onExit = (): void => reject(new Error("Node: the process ended"));
    this.#child.on("message", onMessage);
    this.#child.once("exit", onExit);
    this.#child.send({ id, upstream, file: componentFile(scenario), props, auth, steps, direct });
    try {
      return await promise;
    } finally {
      this.#child.off("message", onMessage);
      this.#child.off("exit", onExit);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const gone = new Promise((resolve) => this.#child.once("exit", resolve));
    this.#child.kill("SIGKILL");
    await gone;
  }
}
