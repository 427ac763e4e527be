const kindOf = (value) => (value === null ? "null" : Array.isArray(value) ? "array" : typeof value);

/** A name that exists but cannot be read is reported with its error. */
function kindAt(holder, name) {
  try {
    return kindOf(holder[name]);
  } catch (error) {
    return `throws ${error?.name}`;
  }
}

const kindsOf = (holder, names) => Object.fromEntries(names.map((name) => [name, kindAt(holder, name)]));

/** What somebody who imports a module sees of it, and what a first use of it gives. Used in the sandbox and in Node. */
export async function inspect(all, use) {
  const { default: byDefault } = all;
  const isHolder = byDefault !== null && (typeof byDefault === "object" || typeof byDefault === "function");
  let used = null;
  if (use) {
    try {
      used = JSON.stringify((await use(all)) ?? null);
    } catch (error) {
      used = `throws ${error?.name}: ${error?.message}`;
    }
  }
  return {
    names: kindsOf(all, Object.keys(all).sort()),
    defaultNames: isHolder ? kindsOf(byDefault, Object.keys(byDefault).sort()) : {},
    used,
  };
}
