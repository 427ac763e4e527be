import { setFlagsFromString } from "node:v8";

/**
 * Settings of glibc's allocator, which reads them when a process starts. By default it keeps freed buffers of up to 32 MB, in
 * a pool per thread: after a flood these are several hundred megabytes.
 */
const allocator: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: "2",
  // Decoders fill pieces of 16 KiB, sockets of 64 KiB: one that stays would keep all below it.
  MALLOC_MMAP_THRESHOLD_: "16384",
  MALLOC_MMAP_MAX_: "16384",
  MALLOC_TRIM_THRESHOLD_: "1048576",
};

/** The main thread's young generation in MiB, twice; V8 would let it grow to 128, and keeps what it has grown to. */
const semiSpace = "--max-semi-space-size=8";

/** Environment and flags of a process. */
export interface ProcessStart {
  readonly env: NodeJS.ProcessEnv;
  /** Flags of Node and V8. */
  readonly flags: readonly string[];
}

/** The start with which a service must restart to use little memory; undefined when it has, or without glibc. */
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
