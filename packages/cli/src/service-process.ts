import { setFlagsFromString } from "node:v8";

/**
 * How glibc's allocator gives back what is freed, read by it when a process begins. By default it keeps freed buffers of up
 * to 32 MB for the next ones, in a pool for each of many threads: after a flood that is several hundred megabytes.
 */
const allocator: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: "2",
  // Decoders and sockets fill pieces of 64 KiB: one that stays would keep all below it.
  MALLOC_MMAP_THRESHOLD_: "65536",
  MALLOC_MMAP_MAX_: "16384",
  MALLOC_TRIM_THRESHOLD_: "1048576",
};

/** The main thread's young generation in MiB, twice; V8 would let it grow to 128, and keeps what it has grown to. */
const semiSpace = "--max-semi-space-size=8";

/** What a process is started with. */
export interface ProcessStart {
  readonly env: NodeJS.ProcessEnv;
  /** Flags of Node and V8. */
  readonly flags: readonly string[];
}

/** How a service has to begin anew, to hold little memory; undefined where it has, or where there is no glibc. */
export function findServiceStart(
  platform: NodeJS.Platform,
  { env: present, flags }: ProcessStart,
): ProcessStart | undefined {
  const isSet = Object.keys(present).some((name) => name.startsWith("MALLOC_"));
  if (platform !== "linux" || isSet) return undefined;
  const hasSemiSpace = [...flags, present["NODE_OPTIONS"] ?? ""].some((text) => /max[-_]semi[-_]space/.test(text));
  return { env: { ...present, ...allocator }, flags: hasSemiSpace ? flags : [...flags, semiSpace] };
}

/** Threads that begin from now on have half of it: the flag of the main thread would go before their own limits. */
export const boundThreads = (): void => setFlagsFromString("--max-semi-space-size=4");
