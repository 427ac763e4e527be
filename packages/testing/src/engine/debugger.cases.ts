import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { SourceMap } from "node:module";
import { fileURLToPath } from "node:url";

/** Messages of the debugger's protocol, with the fields that these tests read. */
export interface CallFrame {
  readonly callFrameId: string;
  readonly functionName: string;
  readonly location: { readonly scriptId: string; readonly lineNumber: number; readonly columnNumber: number };
}
export interface Paused {
  readonly reason: string;
  readonly callFrames: readonly CallFrame[];
  readonly hitBreakpoints?: readonly string[];
}
interface Script {
  readonly scriptId: string;
  readonly url: string;
  readonly sourceMapURL?: string;
}
interface Message {
  readonly id?: number;
  readonly method?: string;
  readonly params?: unknown;
  readonly result?: unknown;
  readonly error?: { readonly message: string };
}

/** A process under a debugger, which finds the author's lines by source maps, as editors do. */
export interface DebuggedProcess extends AsyncDisposable {
  /** Sets a breakpoint at a line, counted from 1, of each file, in every script with that file. */
  breakAt(lines: readonly { readonly file: string; readonly line: number }[]): void;
  /** Runs up to the next breakpoint in an author's file. */
  nextPause(): Promise<{ readonly file: string; readonly line: number; readonly paused: Paused }>;
  /** Evaluates an expression in the paused frame. */
  read(paused: Paused, expression: string): Promise<unknown>;
  resume(): Promise<void>;
  /** Waits for the exit; resolves with the printed text. */
  end(): Promise<{ readonly code: number | null; readonly out: string }>;
}

const widest = 200;

function readMap(script: Script | undefined): SourceMap | undefined {
  const json = /^data:application\/json;base64,(.*)$/.exec(script?.sourceMapURL ?? "")?.[1];
  if (json === undefined) return undefined;
  return new SourceMap(JSON.parse(Buffer.from(json, "base64").toString()) as SourceMap["payload"]);
}

/** The position in the script of the first column of an author's line; both count from 0. */
function findGenerated(map: SourceMap, url: string, line: number): { line: number; column: number } | undefined {
  if (!map.payload.sources.includes(url)) return undefined;
  for (let generated = 0; generated < map.payload.mappings.split(";").length; generated++)
    for (let column = 0; column < widest; column++) {
      const entry = map.findEntry(generated, column);
      if (!("originalLine" in entry) || entry.generatedLine !== generated) continue;
      if (entry.originalSource === url && entry.originalLine === line) return { line: generated, column };
    }
  return undefined;
}

/** Starts a Node script that waits for this debugger. */
export const debugScript = (script: string): Promise<DebuggedProcess> =>
  debugProcess(["--inspect-brk=127.0.0.1:0", "--input-type=module", "--eval", script], {
    cwd: fileURLToPath(new URL(".", import.meta.url)),
  });

/** How a process is started. */
export interface Launch {
  readonly cwd: string;
  /** Variables beside those of this process. */
  readonly env?: { readonly [name: string]: string };
}

/** Starts Node with arguments that have it, or a process that it starts, wait for this debugger. */
export async function debugProcess(args: readonly string[], { cwd, env = {} }: Launch): Promise<DebuggedProcess> {
  const child: ChildProcess = spawn(process.execPath, args, {
    cwd,
    env: { ...process.env, ...env },
    stdio: ["ignore", "pipe", "pipe"],
  });
  const ended = once(child, "close");
  let out = "";
  let err = "";
  child.stdout?.setEncoding("utf8").on("data", (text: string) => (out += text));
  const address = await new Promise<string>((resolve, reject) => {
    child.stderr?.setEncoding("utf8").on("data", (text: string) => {
      err += text;
      const found = /ws:\/\/\S+/.exec(err)?.[0];
      if (found !== undefined) resolve(found);
      // Node prints this when the script has ended and a debugger is still connected.
      if (err.includes("Waiting for the debugger to disconnect")) socket?.close();
    });
    void ended.then(() => reject(new Error(`It ended before the debugger connected: ${err}`)));
  });
  let socket: WebSocket | undefined = new WebSocket(address);
  const live = socket;
  await once(live, "open");

  const endedEarly = ended.then(() => {
    throw new Error(`It ended before it was paused: ${err}`);
  });
  endedEarly.catch(() => undefined);
  let lastId = 0;
  const answers = new Map<number, (message: Message) => void>();
  const scripts = new Map<string, Script>();
  const wanted: { url: string; line: number; file: string }[] = [];
  const prepared = new Set<string>();
  const pauses: Paused[] = [];
  let onPause: (() => void) | undefined;
  const send = async (method: string, params: object = {}): Promise<unknown> => {
    const id = ++lastId;
    const answer = new Promise<Message>((resolve) => answers.set(id, resolve));
    live.send(JSON.stringify({ id, method, params }));
    const { result, error } = await answer;
    if (error) throw new Error(`${method}: ${error.message}`);
    return result;
  };
  live.addEventListener("message", ({ data }) => {
    const message = JSON.parse(String(data)) as Message;
    if (message.id !== undefined) answers.get(message.id)?.(message);
    if (message.method === "Debugger.scriptParsed") {
      const parsed = message.params as Script;
      scripts.set(parsed.scriptId, parsed);
    }
    if (message.method === "Debugger.paused") {
      pauses.push(message.params as Paused);
      onPause?.();
    }
  });

  /** Sets the wanted breakpoints in a script that is about to run. */
  async function prepare(paused: Paused): Promise<void> {
    const scriptId = paused.callFrames[0]?.location.scriptId ?? "";
    // Each realm runs the script again; its breakpoints stay.
    if (prepared.has(scriptId)) return;
    prepared.add(scriptId);
    const map = readMap(scripts.get(scriptId));
    for (const { url, line } of map ? wanted : []) {
      const position = map && findGenerated(map, url, line - 1);
      if (!position) continue;
      const location = { scriptId, lineNumber: position.line, columnNumber: position.column };
      await send("Debugger.setBreakpoint", { location });
    }
  }
  await send("Runtime.enable");
  await send("Debugger.enable");
  await send("Debugger.setInstrumentationBreakpoint", { instrumentation: "beforeScriptWithSourceMapExecution" });
  await send("Runtime.runIfWaitingForDebugger");

  return {
    breakAt(lines) {
      for (const { file, line } of lines) wanted.push({ url: new URL(`file://${file}`).href, line, file });
    },
    async nextPause() {
      for (;;) {
        const paused = pauses.shift();
        if (!paused) {
          await Promise.race([new Promise<void>((resolve) => (onPause = resolve)), endedEarly]);
          continue;
        }
        if ((paused.hitBreakpoints ?? []).length > 0 && paused.reason !== "instrumentation") {
          const { scriptId = "", lineNumber = 0, columnNumber = 0 } = paused.callFrames[0]?.location ?? {};
          const entry = readMap(scripts.get(scriptId))?.findEntry(lineNumber, columnNumber);
          if (entry && "originalLine" in entry)
            return { file: fileURLToPath(entry.originalSource), line: entry.originalLine + 1, paused };
        }
        if (paused.reason === "instrumentation") await prepare(paused);
        await send("Debugger.resume");
      }
    },
    async read(paused, expression) {
      const callFrameId = paused.callFrames[0]?.callFrameId;
      const given = { callFrameId, expression, returnByValue: true };
      const { result } = (await send("Debugger.evaluateOnCallFrame", given)) as { result: { value?: unknown } };
      return result.value;
    },
    resume: async () => void (await send("Debugger.resume")),
    async end() {
      const [code] = (await ended) as [number | null];
      return { code, out };
    },
    async [Symbol.asyncDispose]() {
      socket?.close();
      socket = undefined;
      child.kill("SIGKILL");
      await ended;
    },
  };
}

/** Marks the line of a breakpoint. */
export const here: string = "/*BREAK*/";

/** A component with a breakpoint. */
export const typescript: string = `import { twice } from "./twice.mjs";

interface Item {
  readonly id: number;
}

export default {
  name: "Typed",
  version: "1",
  async run(this: { $emit(item: object): void }, event: Item): Promise<void> {
    const item: Item = { id: event.id };
    await null;
    ${here}this.$emit({ twice: twice(item.id) });
  },
};
`;

/** The file that it imports. */
export const javascript: string = `export function twice(number) {
  const result = number * 2;
  ${here}return result;
}
`;

/** The line of the breakpoint, counted from 1. */
export const lineOf = (text: string): number => text.slice(0, text.indexOf(here)).split("\n").length;
