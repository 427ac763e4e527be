import type { TestRegistry } from "../../packages/components/src/packages/registry.cases.ts";

/** The package that most components import; bundled it has about 580 kB. */
export const platformPackage = "acme-platform";

/** A client of one vendor. */
export interface ClientPackage {
  readonly name: string;
  readonly export: string;
  readonly bytes: number;
}

/** With the platform and its dependency 300 packages. */
const clientCount = 298;

/** From 8 kB to 120 kB. */
export const clientPackages = (): ClientPackage[] =>
  Array.from({ length: clientCount }, (_, n) => ({
    name: `acme-client-${n}`,
    export: `Client${n}`,
    bytes: 8_000 + ((n * 37) % 40) * 2_800,
  }));

/** The same numbers each time. */
function createRandom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * below);
  };
}

const words =
  "account address batch body cache chunk client close config cursor data delay encode entry error event field filter format group handle header index item key label limit list load match message meta node offset option page parse part path payload query queue range read record region reply request result retry route schema scope send session source start state status store stream string table target task text time token total type unit update url user value version write zone".split(
    " ",
  );

/** A module with code like that of a library: many small functions, classes and tables, about this long. */
function moduleText(seed: number, bytes: number): string {
  const random = createRandom(seed);
  const word = (): string => words[random(words.length)] ?? "word";
  const pascal = (): string => {
    const text = word();
    return text.charAt(0).toUpperCase() + text.slice(1);
  };
  const parts: string[] = [];
  const names: string[] = [];
  let size = 0;
  for (let n = 0; size < bytes; n += 1) {
    const name = `${word()}${pascal()}${n}`;
    const [a, b, c] = [`${word()}A`, `${word()}B`, `${word()}C`];
    const former = names[random(Math.max(1, names.length))] ?? "String";
    const shape = random(3);
    const text =
      shape === 0
        ? `function ${name}(${a}, ${b}) {
  if (${a} === undefined || ${a}.${word()} === ${random(5000)}) throw new TypeError("${word()} ${word()} of ${word()} ${random(900)}");
  const ${c} = ${former}(${a}.${word()} ?? "${word()}-${random(9999)}");
  for (const ${word()}D of ${b}?.${word()} ?? []) ${c}.${word()} = [${word()}D, ${random(70000)}];
  return { ${word()}: ${c}, ${word()}${random(40)}: ${b}?.${word()}, ${word()}E: "${word()}/${word()}/${random(999)}" };
}`
        : shape === 1
          ? `const ${name} = Object.assign((${a}) => [${a}?.${word()}, "${word()}_${word()}_${random(9999)}", ${random(65536)}], { ${word()}: "${word()}:${random(99)}", ${word()}F: /${word()}[${word()}]{${1 + random(9)}}/g });`
          : `class ${pascal()}${name} {
  constructor(${a}) { this.${word()} = ${a}; this.${word()}G = new Map([["${word()}", ${random(9999)}]]); }
  ${word()}H(${b}) { return this.${word()}?.${word()}(${b}, "${word()} ${random(999)}") ?? ${random(99)}; }
  async ${word()}I(${c}) { const ${word()}J = await ${c}.${word()}("${word()}"); return \`\${${c}.${word()}}/${word()}/${random(999)}\`; }
}
const ${name} = (${a}) => new (class extends Object { ${word()}K = ${a}; })();`;
    parts.push(text);
    names.push(name);
    size += text.length + 1;
  }
  parts.push(`export const table${seed} = { ${names.join(", ")} };`);
  return parts.join("\n");
}

const platformModules = 24;
/** Unminified; a bundle of it has about 580 kB. */
const platformBytes = 800_000;

function platformFiles(): { [path: string]: string } {
  const modules = Array.from({ length: platformModules }, (_, n) => n);
  const files = Object.fromEntries(
    modules.map((n) => [`lib/part-${n}.js`, moduleText(n + 1, platformBytes / platformModules)]),
  );
  const index = `
${modules.map((n) => `import { table${n + 1} } from "./lib/part-${n}.js";`).join("\n")}
import { join } from "acme-text";
export const tables = [${modules.map((n) => `table${n + 1}`).join(", ")}];
export async function request({ url, headers, params }) {
  const response = await fetch(join(url, new URLSearchParams(params)), { headers: { ...headers, "x-tables": String(tables.length) } });
  return response.json();
}
export async function* each(app, path) {
  for (let page = 0; ; page += 1) {
    const { items = [] } = await app.call(path, { page });
    yield* items;
    if (items.length === 0) return;
  }
}
export const describe = () => tables.map((table) => Object.keys(table).length);
`;
  return { ...files, "index.js": index };
}

/** Publishes every package that the components of the tree import. */
export function publishGeneratedPackages(registry: Pick<TestRegistry, "publish">): void {
  const module = { type: "module", main: "index.js", sideEffects: true };
  registry.publish(
    "acme-text",
    "1.2.0",
    "export const join = (url, query) => (String(query) === '' ? url : url + '?' + query);",
    module,
  );
  registry.publish(platformPackage, "3.1.4", platformFiles(), { ...module, dependencies: { "acme-text": "^1.0.0" } });
  for (const [n, client] of clientPackages().entries()) {
    const text = `import { table${1_000 + n} } from "./lib.js";
export class ${client.export} { constructor(options) { this.options = options; this.tables = table${1_000 + n}; } }`;
    const files = { "index.js": text, "lib.js": moduleText(1_000 + n, client.bytes) };
    registry.publish(client.name, `2.${n}.0`, files, module);
  }
}
