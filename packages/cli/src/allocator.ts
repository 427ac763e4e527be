/**
 * How glibc's allocator gives back what is freed, read by it when a process begins. By default it keeps freed buffers of up
 * to 32 MB for the next ones, in a pool for each of many threads: after a flood that is several hundred megabytes.
 */
const settings: Readonly<Record<string, string>> = {
  MALLOC_ARENA_MAX: "2",
  MALLOC_MMAP_THRESHOLD_: "262144",
  MALLOC_TRIM_THRESHOLD_: "1048576",
};

/** The environment in which a service has to begin anew; undefined where it has one, or none is needed. */
export function findServiceEnvironment(
  platform: NodeJS.Platform,
  present: NodeJS.ProcessEnv,
): NodeJS.ProcessEnv | undefined {
  const isSet = Object.keys(present).some((name) => name.startsWith("MALLOC_"));
  return platform === "linux" && !isSet ? { ...present, ...settings } : undefined;
}
