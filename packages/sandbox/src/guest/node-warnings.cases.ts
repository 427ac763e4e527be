/** Runs code without Node's warnings. */
export async function withoutWarnings<T>(work: () => T | Promise<T>): Promise<T> {
  const listeners = process.listeners("warning");
  process.removeAllListeners("warning");
  try {
    return await work();
  } finally {
    // Node emits warnings a turn later.
    await new Promise((done) => setImmediate(done));
    for (const listener of listeners) process.on("warning", listener);
  }
}
