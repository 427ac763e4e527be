import { spawn } from "node:child_process";
import { once } from "node:events";
import { delimiter, join } from "node:path";

/** A command that was typed, with what it printed. */
export interface Typed {
  readonly command: string;
  readonly output: string;
  readonly code: number | null;
  /** When it began and ended, in seconds since the shell was opened. */
  readonly seconds: readonly [from: number, to: number];
}

/** A command that runs in a terminal of its own. */
export interface Running {
  /** Resolves with the first match in what is printed; rejects when the command ends without it. */
  printed(pattern: RegExp): Promise<RegExpExecArray>;
  /** Resolves when it has ended by itself. */
  readonly end: Promise<Typed>;
  /** Types Ctrl+C. */
  stop(): Promise<Typed>;
}

/** The shell of a user, whose home is a folder and whose environment has nothing but what is exported here. */
export interface Shell extends AsyncDisposable {
  /** Commands that have ended, in the order in which they were typed. */
  typed(): Promise<readonly Typed[]>;
  /** Runs a command to its end. */
  run(command: string): Promise<Typed>;
  start(command: string): Running;
  cd(folder: string): void;
  export(name: string, value: string): void;
  /** Finds programs in a folder first. */
  addPrograms(folder: string): void;
}

/** The folders of programs, first the one of Node; without those that package managers add. */
const pathWith = (nodeFolder: string): string =>
  [nodeFolder, ...(process.env["PATH"] ?? "").split(delimiter).filter((each) => !each.includes("node_modules"))].join(
    delimiter,
  );

export function openShell(home: string, nodeFolder: string): Shell {
  const env: Record<string, string> = { HOME: home, PATH: pathWith(nodeFolder) };
  const history: Promise<Typed>[] = [];
  const stops: (() => Promise<unknown>)[] = [];
  let here = home;
  const opened = performance.now();
  const secondsNow = (): number => Math.round((performance.now() - opened) / 100) / 10;

  function start(command: string): Running {
    // A group of its own, as a terminal makes it: Ctrl+C reaches every process in it.
    const child = spawn("sh", ["-c", `exec ${command}`], {
      cwd: here,
      env,
      detached: true,
      stdio: ["ignore", "pipe", "pipe"],
    });
    const began = secondsNow();
    let output = "";
    let isRunning = true;
    const looks = new Set<() => void>();
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding("utf8").on("data", (text: string) => {
        output += text;
        for (const look of looks) look();
      });
    const end = once(child, "close").then(([code]): Typed => {
      isRunning = false;
      return { command, output, code: code as number | null, seconds: [began, secondsNow()] };
    });
    history.push(end);
    const signal = (name: NodeJS.Signals): Promise<Typed> => {
      if (isRunning && child.pid !== undefined) process.kill(-child.pid, name);
      return end;
    };
    stops.push(() => signal("SIGKILL"));
    return {
      end,
      stop: () => signal("SIGINT"),
      printed: (pattern) =>
        new Promise((resolve, reject) => {
          const look = (): void => {
            const match = pattern.exec(output);
            if (match) resolve(match);
          };
          looks.add(look);
          look();
          void end.then(({ code }) =>
            reject(new Error(`${command} ended with ${code} without ${pattern}:\n${output}`)),
          );
        }),
    };
  }

  return {
    typed: () => Promise.all(history),
    async run(command) {
      const done = await start(command).end;
      if (done.code !== 0) throw new Error(`$ ${command}\n${done.output}ended with ${done.code}`);
      return done;
    },
    start,
    cd(folder) {
      here = join(here, folder);
    },
    export(name, value) {
      env[name] = value;
    },
    addPrograms(folder) {
      env["PATH"] = [folder, env["PATH"]].join(delimiter);
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(stops.map((stop) => stop()));
    },
  };
}
