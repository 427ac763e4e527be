import { url as inspectorUrl } from "node:inspector";
import { compileFunction, Script } from "node:vm";

import { LRUCache } from "lru-cache";

import { sha256Hex } from "@x/model";
import { type EngineFiles } from "./engine-files.ts";
import { type CallText, type Host, idleHost, withEvent } from "./guest-machine.ts";
import type { GuestMachine } from "./guest-machine.ts";
import { createRealm, type Realm } from "./node-realm.ts";
import { createNodeRejections } from "./node-realm.ts";
import { bundleFileName, guestOp, hostOp, preludeFileName } from "../ops.ts";
import { partOf } from "./engine-files.ts";

const cachedChars = 32 * 1024 * 1024;
/** Maximum of Node's timers. */
const longestMs = 2 ** 31 - 1;
const callName = "x:call";
const bundleScheme = "x-component:";

/** Whether a debugger can pause the process; deadlines do not apply then. */
export const isDebugged = (): boolean => inspectorUrl() !== undefined;

type Enter = (op: number, text: string, extra?: unknown, reason?: unknown) => unknown;
type Dispatch = (op: number, text?: string, bytes?: ArrayBuffer) => unknown;

/** The prelude and bundles, each compiled once for all realms. */
interface Scripts {
  readonly prelude: readonly Script[];
  /** Calls the global `x:call`: as a script it has Node's timeout, and runs promise jobs at its end. */
  readonly call: Script;
  part(op: number, name: string): string | undefined;
  bundle(text: string): Script;
}

function compileScripts({ prelude, parts }: Pick<EngineFiles, "prelude" | "parts">): Scripts {
  const bundles = new LRUCache<string, Script>({ maxSize: cachedChars, sizeCalculation: (_, text) => text.length });
  const call = `{ const call = globalThis["${callName}"]; delete globalThis["${callName}"]; call(); }`;
  return {
    prelude: prelude.map((text) => new Script(text, { filename: preludeFileName })),
    call: new Script(call, { filename: preludeFileName }),
    part: (op, name) => partOf(parts, op, name),
    bundle(text) {
      const known = bundles.get(text);
      if (known) return known;
      // Debuggers need a URL per script; stacks have the same file name as in the sandbox.
      const url = `${bundleScheme}${sha256Hex(text).slice(0, 12)}/${bundleFileName}`;
      const script = new Script(`${text}\n//# sourceURL=${url}`, { filename: bundleFileName });
      bundles.set(text, script);
      return script;
    },
  };
}

const decoder = new TextDecoder();

function wholeText(given: string | CallText): string {
  if (typeof given === "string") return given;
  const { text, event } = given;
  return event ? withEvent(text, decoder.decode(event)) : text;
}

/** Guest code in a realm of this thread: without isolation or a memory limit, but with breakpoints. */
class NodeMachine implements GuestMachine {
  /** Unknown: the memory is the process's. */
  readonly memory: GuestMachine["memory"] = { buffer: { byteLength: 0 } };
  readonly columns = "units";
  readonly #scripts: Scripts;
  readonly #realm: Realm = createRealm();
  readonly #enter: Enter;
  readonly #rejections = createNodeRejections(this.#realm, (promise, rejection) =>
    this.#enter(rejection ? guestOp.rejected : guestOp.handled, "", promise, rejection?.reason),
  );
  #host: Host = idleHost;

  constructor(scripts: Scripts) {
    this.#scripts = scripts;
    const modules: unknown[] = [];
    const dispatch: Dispatch = (op, text = "", bytes) => this.#dispatch(op, text, bytes);
    const results = scripts.prelude.map((script) => {
      const add = script.runInContext(this.#realm) as (modules: unknown[], dispatch: Dispatch) => unknown;
      return add(modules, dispatch);
    });
    this.#enter = results.at(-1) as Enter;
  }

  attach(host: Host): void {
    this.#host = host;
  }

  enter(op: number, given: string | CallText, extra?: Uint8Array | { code: string }): boolean {
    const text = wholeText(given);
    return this.#guarded(() => {
      const value = extra instanceof Uint8Array ? this.#buffer(extra) : extra && this.#evaluate(extra.code);
      Object.defineProperty(this.#realm, callName, { value: () => this.#enter(op, text, value), configurable: true });
      const remainingMs = Math.max(1, Math.ceil(this.#host.remainingMs()) + 1);
      const isBounded = remainingMs < longestMs && !isDebugged();
      this.#rejections.inside(() =>
        this.#scripts.call.runInContext(this.#realm, isBounded ? { timeout: remainingMs } : {}),
      );
    });
  }

  /** Jobs have run when `enter` returns. */
  hasJobs(): boolean {
    return false;
  }

  runJobs(): boolean {
    return true;
  }

  #evaluate(code: string): unknown {
    return this.#scripts.bundle(code).runInContext(this.#realm);
  }

  /** Not a script: promise jobs would run at its end, in the middle of guest code. */
  #evaluatePart(op: number, name: string): unknown {
    const code = this.#scripts.part(op, name);
    if (code === undefined) return undefined;
    const filename = preludeFileName;
    return (compileFunction(`return (${code}\n)`, [], { filename, parsingContext: this.#realm }) as () => unknown)();
  }

  #buffer(bytes: Uint8Array): ArrayBuffer {
    const buffer = new this.#realm.ArrayBuffer(bytes.byteLength);
    new Uint8Array(buffer).set(bytes);
    return buffer;
  }

  #dispatch(op: number, text: string, bytes: ArrayBuffer | undefined): unknown {
    if (op === hostOp.part || op === hostOp.builtin) return this.#evaluatePart(op, text);
    const given = bytes && new Uint8Array(bytes).slice();
    const answer = this.#rejections.outside(() => this.#host.dispatch(op, text, given));
    return answer instanceof Uint8Array ? this.#buffer(answer) : answer;
  }

  #guarded(run: () => void): boolean {
    try {
      run();
      return true;
    } catch {
      // The deadline, which the host must observe, or syntax that Node does not support.
      this.#host.shouldInterrupt();
      return false;
    }
  }
}

/** Creates machines with shared compiled scripts. */
export function nodeMachines(files: Pick<EngineFiles, "prelude" | "parts">): () => GuestMachine {
  const scripts = compileScripts(files);
  return () => new NodeMachine(scripts);
}
