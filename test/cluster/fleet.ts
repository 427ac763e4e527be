import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { fileURLToPath } from "node:url";

import { apiKey } from "../faults/service.child.ts";
import { describeHold, holdLines } from "../faults/thread-holds.ts";
import { freePort } from "../free-port.ts";
import { type Balancer, startBalancer } from "./balancer.ts";
import { endWithProcess } from "./end-with-process.ts";
import { type LinkProxy, startLinkProxy } from "./link-proxy.ts";
import { type PrivatePostgres, startPostgres } from "./private-postgres.ts";
import { type Referee, startReferee } from "./referee.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const secretKey = "0123456789abcdef".repeat(4);
const schema = "soak";

/** One `x serve` of a fleet, on which everything can happen. */
export interface FleetNode {
  readonly number: number;
  readonly link: LinkProxy;
  isRunning(): boolean;
  /** Starts the program, and resolves when it serves. */
  start(): Promise<void>;
  /** Ends it; resolves when it has ended. */
  end(signal: "SIGKILL" | "SIGTERM"): Promise<void>;
  freeze(): void;
  thaw(): void;
  /** What held its main thread. */
  readonly holds: readonly string[];
  /** The newest lines that it has printed. */
  log(): string;
}

/** Several services on one PostgreSQL behind one balancer. */
export interface Fleet extends AsyncDisposable {
  readonly postgres: PrivatePostgres;
  readonly balancer: Balancer;
  readonly referee: Referee;
  readonly nodes: readonly FleetNode[];
}

const keptLines = 60;

interface Surroundings {
  readonly postgres: PrivatePostgres;
  readonly balancer: Balancer;
  readonly referee: Referee;
  readonly folder: string;
}

async function createNode(
  number: number,
  link: LinkProxy,
  { postgres, balancer, referee, folder }: Surroundings,
): Promise<FleetNode> {
  const port = await freePort();
  let child: ChildProcess | undefined;
  let lines: string[] = [];
  const holds: string[] = [];
  const keep = (line: string): void => {
    holds.push(...holdLines(line).map(describeHold));
    lines = [...lines.slice(-keptLines), line];
  };
  const args = [
    "--json-logs",
    `--port=${port}`,
    `--data=${join(folder, String(number))}`,
    `--public-url=${balancer.url}`,
    `--upstream=${referee.upstream(number)}`,
    "--network=allow-private",
    "--retention=1000000",
  ];
  const env = {
    ...process.env,
    X_API_KEY: apiKey,
    X_SECRET_KEY: secretKey,
    X_STORE: postgres.url(schema, link.port),
    NODE_COMPILE_CACHE: join(root, "node_modules/.cache/compile"),
  };
  const isRunning = (): boolean => child !== undefined && child.exitCode === null && child.signalCode === null;
  return {
    number,
    link,
    holds,
    isRunning,
    async start() {
      referee.started(number);
      const started = spawn(process.execPath, ["packages/cli/dist/main.js", "serve", ...args], {
        cwd: root,
        env,
        stdio: ["ignore", "pipe", "pipe"],
      });
      child = started;
      endWithProcess(started, "SIGKILL");
      const { promise: serving, resolve, reject } = Promise.withResolvers<void>();
      createInterface({ input: started.stderr }).on("line", keep);
      createInterface({ input: started.stdout }).on("line", (line) => {
        keep(line);
        if (line.includes('"message":"serving"')) resolve();
      });
      started.once("exit", (code, signal) => {
        balancer.point(number, undefined);
        reject(new Error(`Node ${number} ended with ${signal ?? code}:\n${lines.join("\n")}`));
      });
      await serving;
      balancer.point(number, port);
    },
    async end(signal) {
      if (!child || !isRunning()) return;
      const gone = once(child, "exit");
      child.kill(signal);
      await gone;
      referee.ended(number);
    },
    freeze: () => void child?.kill("SIGSTOP"),
    thaw: () => void child?.kill("SIGCONT"),
    log: () => lines.join("\n"),
  };
}

/** Starts a PostgreSQL of its own and this number of services; resolves when all serve. */
export async function startFleet(count: number): Promise<Fleet> {
  const stack = new AsyncDisposableStack();
  try {
    const folder = await mkdtemp(join(tmpdir(), "x-fleet-"));
    stack.defer(() => rm(folder, { recursive: true, force: true }));
    const postgres = stack.use(await startPostgres());
    const balancer = stack.use(await startBalancer(count));
    const referee = stack.use(await startReferee(count));
    const nodes: FleetNode[] = [];
    for (let number = 0; number < count; number += 1) {
      const link = stack.use(await startLinkProxy(postgres));
      const node = await createNode(number, link, { postgres, balancer, referee, folder });
      stack.defer(async () => {
        node.thaw();
        await node.end("SIGKILL");
      });
      nodes.push(node);
      await node.start();
    }
    return { postgres, balancer, referee, nodes, [Symbol.asyncDispose]: () => stack.disposeAsync() };
  } catch (error) {
    await stack.disposeAsync();
    throw error;
  }
}
