/** What every engine of `bench/peers` runs: a component with its own library, the same work in each form. */

/** The engine's side of a call. Texts are JSON. */
export interface HostSide {
  dbGet(key: string): string | undefined;
  dbSet(key: string, value: string): void;
  /** What the component awaits twice. */
  ask(question: string): Promise<string>;
  emit(event: string): void;
}

/** About 300 kB of functions, classes and tables, as a bundled library is; another one for each tenant. */
function libraryText(tenant: number): string {
  const parts: string[] = [`const library = {}; library.tenant = ${tenant};`];
  for (let index = 0, size = 0; size < 300_000; index += 1) {
    const part = `
library.check${index} = function (value, options = {}) {
  if (value === undefined || value === null) throw new TypeError("check${index}: nothing was given");
  const found = Object.entries(value).filter(([key]) => !key.startsWith("_") && key !== options.ignored);
  return found.reduce((sum, [key, each]) => sum + key.length + (typeof each === "number" ? each : 0), ${index});
};
library.Model${index} = class {
  constructor(fields) { this.fields = { id: ${index}, kind: "model-${index}", ...fields }; }
  get title() { return this.fields.kind + ":" + this.fields.id; }
  toJSON() { return { ...this.fields, title: this.title }; }
};
library.table${index} = { code: "E${index}", status: ${200 + (index % 300)}, text: "What error ${index} says", tags: ["a${index}", "b${index}"] };
`;
    parts.push(part);
    size += part.length;
  }
  return parts.join("");
}

/** The work: one read and one write of the db, two awaited host calls, three emits, a result. */
const work = (read: string, write: string, ask: string, emit: string): string => `
  const n = (${read} ?? 0) + 1;
  ${write};
  const first = await ${ask};
  const second = await ${ask};
  for (let i = 0; i < 3; i += 1) ${emit};
  return { n, first, second, lines: event.lines.length, sum: library.check7({ n }), title: new library.Model3({ n }).title };
`;

/** For engines without a form of their own: \`__run(text)\` over the globals dbGet, dbSet, ask and emit. */
export const plainText = (tenant: number): string => `${libraryText(tenant)}
globalThis.__run = async (text) => {
  const event = JSON.parse(text);
  return JSON.stringify(await (async () => {${work(
    `JSON.parse(dbGet("n") ?? "null")`,
    `dbSet("n", JSON.stringify(n))`,
    `ask(JSON.stringify({ n })).then(JSON.parse)`,
    `emit(JSON.stringify({ i, n, title: event.title }))`,
  )}})());
};
globalThis.__loop = () => { for (;;); };
`;

/** The same for x: \`await fetch\` is its host call. \`{ "loop": true }\` as the event never ends. */
export const componentText = (tenant: number, opening: "export default" | "module.exports ="): string =>
  `${libraryText(tenant)}
${opening} {
  name: "Peer ${tenant}", version: "1", props: { db: "$.service.db" },
  async run(event) {
    while (event.loop);
    ${work(
      `this.db.get("n")`,
      `this.db.set("n", n)`,
      `fetch("https://host.test/", { method: "POST", body: JSON.stringify({ n }) }).then((reply) => reply.json())`,
      `this.$emit({ i, n, title: event.title }, { summary: String(n) })`,
    )}
  },
};
`;

/** An event of 1 KB. */
export const eventText: string = JSON.stringify({
  title: "An order",
  lines: Array.from({ length: 16 }, (_, id) => ({ id, sku: `sku-${id}`, text: "something to pack", count: id })),
});

/** What the host answers to a question. */
export const answerText = '{"answer":42}';

/** A host that checks what each call did. */
export interface CheckedHost extends HostSide {
  /** After a call; `result` is what it returned, undefined if the engine reports no results. */
  check(result: string | undefined): void;
}

/** A db and a listener of one tenant. */
export function openHost(): CheckedHost {
  const db = new Map<string, string>();
  let emits = 0;
  let calls = 0;
  return {
    dbGet: (key) => db.get(key),
    dbSet: (key, value) => void db.set(key, value),
    ask: () => Promise.resolve(answerText),
    emit: () => void (emits += 1),
    check(result) {
      calls += 1;
      const returned = result === undefined ? undefined : (JSON.parse(result) as { n: number; lines: number });
      const isRight = !returned || (returned.lines === 16 && returned.n === calls);
      if (isRight && emits === 3 * calls && db.get("n") === String(calls)) return;
      throw new Error(`Call ${calls}: ${result ?? ""} after ${emits} emits, n is ${db.get("n") ?? "absent"}`);
    },
  };
}
