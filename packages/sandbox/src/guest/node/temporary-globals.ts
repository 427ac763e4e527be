const missing = ["Atomics", "FinalizationRegistry", "WeakRef"].filter((name) => !(name in globalThis));

// node-inspect-extracted reads these when it loads, and never uses them.
for (const name of missing) Reflect.set(globalThis, name, Object);

/** Removes the temporary globals, so that components do not find them. */
export function removeTemporaryGlobals(): void {
  for (const name of missing.splice(0)) Reflect.deleteProperty(globalThis, name);
}
