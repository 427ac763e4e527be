import { url as inspectorUrl } from "node:inspector";
import { compileFunction, Script } from "node:vm";

import { LRUCache } from "lru-cache";

import { sha256Hex } from "../../process/sha256.ts";
import { type EngineFiles, type Host, idleHost } from "./quickjs-machine.ts";
import type { GuestMachine } from "./guest-machine.ts";
import { createRealm, type Realm } from "./node-realm.ts";
import { createNodeRejections } from "./node-rejections.ts";
import { bundleFileName, guestOp, hostOp, preludeFileName } from "../ops.ts";
import { partOf } from "./part-text.ts";

const keptChars = 32 * 1024 * 1024;
/** How far ahead Node's timers reach. */
const longestMs = 2 ** 31 - 1;
const doorName = "x:door";
const bundleScheme = "x-component:";

/** Can somebody hold the process at a breakpoint? Time stands still there, and deadlines with it. */
export const isDebugged = (): boolean => inspectorUrl() !== undefined;

type Enter = (op: number, text: string, extra?: unknown, reason?: unknown) => unknown;
type Dispatch = (op: number, text?: string, bytes?: ArrayBuffer) => unknown;

/** The guest's own code and the bundles, each compiled once for all realms. */
interface Scripts {
  readonly prelude: Script;
  /** Calls what stands under the door's name, so that promise jobs and Node's timeout belong to it. */
  readonly door: Script;
  part(op: number, name: string): string | undefined;
  bundle(text: string): Script;
}

function compileScripts({ prelude, parts }: Pick<EngineFiles, "prelude" | "parts">): Scripts {
  const bundles = new LRUCache<string, Script>({ maxSize: keptChars, sizeCalculation: (_, text) => text.length });
  const door = `{ const open = globalThis["${doorName}"]; delete globalThis["${doorName}"]; open(); }`;
  return {
    prelude: new Script(prelude, { filename: preludeFileName }),
    door: new Script(door, { filename: preludeFileName }),
    part: (op, name) => partOf(parts, op, name),
    bundle(text) {
      const known = bundles.get(text);
      if (known) return known;
      // Debuggers tell scripts apart by a URL of their own; stacks have the name that the sandbox has.
      const url = `${bundleScheme}${sha256Hex(text).slice(0, 12)}/${bundleFileName}`;
      const script = new Script(`${text}\n//# sourceURL=${url}`, { filename: bundleFileName });
      bundles.set(text, script);
      return script;
    },
  };
}

/** Guest code in a realm of this very thread: no wall, no cap on memory, but breakpoints. */
class NodeMachine implements GuestMachine {
  /** Not known: it is this process's. */
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
    const prelude = scripts.prelude.runInContext(this.#realm) as (dispatch: Dispatch) => Enter;
    this.#enter = prelude((op, text = "", bytes) => this.#dispatch(op, text, bytes));
  }

  attach(host: Host): void {
    this.#host = host;
  }

  enter(op: number, text: string, extra?: Uint8Array | { code: string }): boolean {
    return this.#guarded(() => {
      const given = extra instanceof Uint8Array ? this.#buffer(extra) : extra && this.#evaluate(extra.code);
      Object.defineProperty(this.#realm, doorName, { value: () => this.#enter(op, text, given), configurable: true });
      const remainingMs = Math.max(1, Math.ceil(this.#host.remainingMs()) + 1);
      const isBounded = remainingMs < longestMs && !isDebugged();
      this.#rejections.inside(() =>
        this.#scripts.door.runInContext(this.#realm, isBounded ? { timeout: remainingMs } : {}),
      );
    });
  }

  /** They have run when `enter` returns. */
  hasJobs(): boolean {
    return false;
  }

  runJobs(): boolean {
    return true;
  }

  #evaluate(code: string): unknown {
    return this.#scripts.bundle(code).runInContext(this.#realm);
  }

  /** Not as a script, after which promise jobs would run in the middle of the guest's code. */
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
      // Stopped at its deadline, of which the host must hear, or syntax that Node does not know.
      this.#host.shouldInterrupt();
      return false;
    }
  }
}

/** Makes machines that share what they have compiled. */
export function nodeMachines(files: Pick<EngineFiles, "prelude" | "parts">): () => GuestMachine {
  const scripts = compileScripts(files);
  return () => new NodeMachine(scripts);
}
