const missing = ["Atomics", "FinalizationRegistry", "WeakRef"].filter((name) => !(name in globalThis));

// The inspecting package reads these when it loads, and never uses them.
for (const name of missing) Reflect.set(globalThis, name, Object);

/** Takes back what the guest's engine does not have, so that components do not find it. */
export function returnGlobals(): void {
  for (const name of missing.splice(0)) Reflect.deleteProperty(globalThis, name);
}
