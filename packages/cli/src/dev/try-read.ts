/** The result of a read from the disk; `fallback` when the path is missing, being deleted or not readable. */
export function tryRead<T>(read: () => T, fallback: T): T {
  try {
    return read();
  } catch {
    return fallback;
  }
}
