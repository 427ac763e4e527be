import type { Host } from "./quickjs-machine.ts";

/** One realm of guest code, entered from outside: the engine's machine, or the one of Node itself. */
export interface GuestMachine {
  /** All memory that it has taken; 0 when that is not known. */
  readonly memory: { readonly buffer: { readonly byteLength: number } };
  /** What it counts for the columns in its stacks. */
  readonly columns: "characters" | "units";
  attach(host: Host): void;
  /** Calls the guest's entry. False: it ended by an exception that left nothing to read. */
  enter(op: number, text: string, extra?: Uint8Array | { code: string }): boolean;
  hasJobs(): boolean;
  /** Runs up to `max` pending jobs. */
  runJobs(max: number): boolean;
}
