import { type ChildProcess, execFile, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, globSync, readFileSync } from "node:fs";
import { chown, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { promisify } from "node:util";

import { freePort } from "../free-port.ts";
import { endWithProcess } from "./end-with-process.ts";

const run = promisify(execFile);

/** A PostgreSQL server of our own, which may be killed without harm to others. */
export interface PrivatePostgres extends AsyncDisposable {
  readonly host: string;
  readonly port: number;
  /** Of its database, through this port: its own, or that of a proxy before it. */
  url(schema: string, port?: number): string;
  /** Aborts every connection and transaction, and starts again; resolves when it accepts connections. */
  restart(): Promise<void>;
  /** Runs statements; resolves with the rows as text, columns separated by `|`. */
  sql(text: string): Promise<readonly string[]>;
  /** Id of the postmaster. */
  readonly pid: number;
}

const host = "127.0.0.1";
const user = "x";
const database = "test";

/** The folder of the programs of the newest PostgreSQL of this machine; undefined without one. */
function findBinaries(): string | undefined {
  const version = (path: string): number => Number(/postgresql\/(\d+)\//.exec(path)?.[1] ?? 0);
  const folders = globSync("/usr/lib/postgresql/*/bin").toSorted((a, b) => version(b) - version(a));
  return folders.find((folder) => existsSync(join(folder, "initdb")) && existsSync(join(folder, "psql")));
}

/** Why no server can be started; undefined when one can. Printed. */
export function missingBinaries(): string | undefined {
  if (findBinaries() !== undefined) return undefined;
  const reason = "there is no PostgreSQL server in /usr/lib/postgresql";
  process.stderr.write(`skipped: ${reason}\n`);
  return reason;
}

interface Account {
  readonly uid: number;
  readonly gid: number;
}

/** PostgreSQL refuses to run as root: `postgres` or `nobody` runs it. Undefined: this user can. */
function unprivileged(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined;
  const lines = readFileSync("/etc/passwd", "utf8").split("\n");
  const line = ["postgres", "nobody"].map((name) => lines.find((each) => each.startsWith(`${name}:`))).find(Boolean);
  const [, , uid = "65534", gid = "65534"] = line?.split(":") ?? [];
  return { uid: Number(uid), gid: Number(gid) };
}

/** Starts the server; resolves when it accepts connections. */
async function boot(program: string, args: readonly string[], account: Account | undefined): Promise<ChildProcess> {
  const child = spawn(program, args, { ...account, cwd: "/", stdio: ["ignore", "ignore", "pipe"] });
  endWithProcess(child, "SIGQUIT");
  const lines: string[] = [];
  const output = createInterface({ input: child.stderr });
  await new Promise<void>((resolve, reject) => {
    output.on("line", (line) => {
      lines.push(line);
      if (line.includes("ready to accept connections")) resolve();
    });
    child.once("error", reject);
    child.once("exit", () => reject(new Error(`PostgreSQL did not start:\n${lines.join("\n")}`)));
  });
  return child;
}

/** Starts a server with durable commits and autovacuum, in a temporary folder; `settings` as `name=value`. */
export async function startPostgres(settings: readonly string[] = []): Promise<PrivatePostgres> {
  const binaries = findBinaries();
  if (binaries === undefined) throw new Error("PostgreSQL is not installed.");
  const account = unprivileged();
  const base = process.env["X_BENCH_FOLDER"] ?? tmpdir();
  const folder = await mkdtemp(join(base, "x-postgres-"));
  if (account) await chown(folder, account.uid, account.gid);
  const data = join(folder, "data");
  const options = { ...account, cwd: "/" };
  await run(
    join(binaries, "initdb"),
    ["-D", data, "-U", user, "-A", "trust", "-E", "UTF8", "--no-locale", "--no-sync"],
    options,
  );
  const port = await freePort();
  const all = [
    `listen_addresses=${host}`,
    `port=${port}`,
    "unix_socket_directories=",
    "autovacuum_naptime=2s",
    "max_connections=100",
    ...settings,
  ];
  const args = ["-D", data, ...all.flatMap((setting) => ["-c", setting])];
  const start = (): Promise<ChildProcess> => boot(join(binaries, "postgres"), args, account);
  let server = await start();
  const stop = async (): Promise<void> => {
    if (server.exitCode !== null || server.signalCode !== null) return;
    const gone = once(server, "exit");
    // As `pg_ctl stop -m immediate` does.
    server.kill("SIGQUIT");
    await gone;
  };
  const psql = async (name: string, text: string): Promise<readonly string[]> => {
    const flags = [
      "-h",
      host,
      "-p",
      String(port),
      "-U",
      user,
      "-d",
      name,
      "-XAtq",
      "-v",
      "ON_ERROR_STOP=1",
      "-c",
      text,
    ];
    const { stdout } = await run(join(binaries, "psql"), flags, { cwd: "/" });
    return stdout.split("\n").filter((line) => line !== "");
  };
  await psql("postgres", `CREATE DATABASE ${database}`);
  return {
    host,
    port,
    url: (schema, through = port) => `postgres://${user}@${host}:${through}/${database}?schema=${schema}`,
    async restart() {
      await stop();
      server = await start();
    },
    sql: (text) => psql(database, text),
    get pid() {
      return server.pid ?? 0;
    },
    async [Symbol.asyncDispose]() {
      await stop();
      await rm(folder, { recursive: true, force: true });
    },
  };
}
