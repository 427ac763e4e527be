import { parseShape } from "../../../packages/components/src/shape.ts";
import type { ComplexInput } from "./complex-input.ts";

const kind = { class: "algorithmic complexity", promise: "main-thread-free" } as const;
const run = { $function: true };
const component = { name: "Trial", version: "1.0.0", run };

/** An object of members with generated names. */
const many = (size: number, value: (index: number) => unknown): { [name: string]: unknown } =>
  Object.fromEntries(Array.from({ length: size }, (_, n) => [`member${n}x`, value(n)]));

/** The shape, or what is wrong with it. `members` are lines of the component's code. */
function shape(described: object, members: readonly string[] = []): () => unknown {
  const json = JSON.stringify({ ...component, ...described });
  const code = `module.exports = {\n${members.join("\n")}\n};`;
  const lines = code.split("\n").length;
  const sourceMap = JSON.stringify({
    version: 3,
    sources: ["component.js"],
    sourcesContent: [code],
    names: [],
    mappings: `AAAA${";AACA".repeat(lines - 1)}`,
  });
  return () => {
    try {
      return parseShape(json, "x", { bundle: code, sourceMap, code });
    } catch (error) {
      return error;
    }
  };
}

/** What a component declares. */
export const declarationInputs: readonly ComplexInput[] = [
  {
    id: "shape-unknown-fields",
    ...kind,
    size: 9_900,
    prepare: (size) => shape({ props: { one: { type: "string", ...many(size, () => 1) } } }),
  },
  { id: "shape-unknown-members", ...kind, size: 5_000, prepare: (size) => shape(many(size, () => run)) },
  {
    id: "shape-undeclared-reads",
    ...kind,
    size: 10_000,
    prepare: (size) => shape({}, ["run() {", ...Array.from({ length: size }, (_, n) => `this.member${n}x();`), "}"]),
  },
  {
    id: "shape-repeated-spreads",
    ...kind,
    size: 4_000,
    prepare(size) {
      const names = Array.from({ length: size }, (_, n) => `member${n}x: 1`).join(", ");
      const bundle = `const a = { ${names} };\nmodule.exports = { props: { ${"...a, ".repeat(size)} } };`;
      const sourceMap = JSON.stringify({ version: 3, sources: [], names: [], mappings: "" });
      const json = JSON.stringify({ ...component, props: { one: 1 } });
      return () => {
        try {
          return parseShape(json, "x", { bundle, sourceMap, code: bundle });
        } catch (error) {
          return error;
        }
      };
    },
  },
  {
    id: "shape-large-bundle",
    ...kind,
    size: 30_000,
    prepare: (size) =>
      shape({ props: { one: 1 } }, [
        "props: { one: 1 },",
        ...Array.from({ length: size }, (_, n) => `member${n}x: { a: f(${n}), b: "x", c: [1, 2, 3] },`),
      ]),
  },
];
