import { type AuthorSource, createAuthorSources } from "../../../packages/components/src/author/author-source.ts";
import { authorStack, explainError } from "../../../packages/components/src/author/explain-error.ts";
import { explainLeft } from "../../../packages/components/src/author/explain-left.ts";
import { createEvaluate } from "../../../packages/components/src/evaluate.ts";
import { findCodeFrame } from "../../../packages/runtime/src/executions/code-frame.ts";
import type { ThrownError } from "../../../packages/sandbox/src/contract.ts";
import type { ComplexInput } from "./complex-input.ts";

const kind = { class: "algorithmic complexity", promise: "main-thread-free" } as const;

/** A source map that leads each line of the bundle to the same line of the file. */
const mapOf = (code: string): string =>
  JSON.stringify({
    version: 3,
    sources: ["component.js"],
    sourcesContent: [code],
    names: [],
    mappings: `AAAA${";AACA".repeat(code.split("\n").length - 1)}`,
  });
const sourceOf = (code: string): AuthorSource => createAuthorSources()(mapOf(code));

/** A source map of files of 240 kB, whose lines have a position every five characters; longer than what is cached. */
function largeMap(files: number): string {
  const lines = 8_000;
  const sources = Array.from({ length: files }, (_, n) => `file-${n}.js`);
  const content = "abc = d(e, f) + g(h, i) + 10;\n".repeat(lines);
  // The next line of the file; positions in it; from the last line back to the first one of the next file.
  const line = `AACb${",CAAC".repeat(13)}`;
  const lastToFirst = `AC/+Pb${",CAAC".repeat(13)}`;
  const first = `AAAA${",CAAC".repeat(13)}`;
  const mappings = [first, ...Array.from({ length: lines - 1 }, () => line)].join(";");
  const others = [lastToFirst, ...Array.from({ length: lines - 1 }, () => line)].join(";");
  return JSON.stringify({
    version: 3,
    sources,
    sourcesContent: sources.map(() => content),
    names: [],
    mappings: [mappings, ...Array.from({ length: files - 1 }, () => others)].join(";"),
  });
}

/** The frame of the first line that begins with a text. */
const frameAt = (code: string, line: string): string =>
  `    at run (bundle.js:${code.split("\n").findIndex((each) => each.startsWith(line)) + 1}:1)`;

/** An error of the engine at the line that begins with `line`. */
function explain(code: string, message: string, line: string): () => unknown {
  const source = sourceOf(code);
  const error: ThrownError = { code: "component_threw", name: "TypeError", message, stack: frameAt(code, line) };
  return () => explainError(error, source, { props: [] });
}

/** A timer that was set at the line that begins with `line`, and is left. */
function explainTimer(code: string, line: string): () => unknown {
  const source = sourceOf(code);
  const items = [{ kind: "timer", detail: "1 ms", stack: frameAt(code, line) } as const];
  return () => explainLeft("run", { count: 1, items }, source);
}

/** Errors, and work that was not awaited, of components of one file. */
export const explanationInputs: readonly ComplexInput[] = [
  {
    id: "left-many-uses",
    ...kind,
    size: 5_000,
    prepare: (size) =>
      explainTimer(
        `export default { run() { const late =\nsleep(1);\nif (0) { ${"late; ".repeat(size)} } } }`,
        "sleep",
      ),
  },
  {
    id: "left-many-kept",
    ...kind,
    size: 2_000,
    prepare: (size) =>
      explainTimer(
        `async function tick() { await\nsleep(1); }\nfunction run() { ${"late = tick(); ".repeat(size)} }`,
        "sleep",
      ),
  },
  {
    id: "left-many-callers",
    ...kind,
    size: 16_384,
    prepare(size) {
      const length = Math.round(Math.sqrt(size));
      const calls = Array.from({ length }, (_, n) => `await f${n}();`).join(" ");
      const callers = Array.from({ length }, (_, n) => `async function f${n}() { ${calls} await tick(); }`);
      return explainTimer(`async function tick() { await\nsleep(1); }\n${callers.join("\n")}`, "sleep");
    },
  },
  {
    id: "left-deep-functions",
    ...kind,
    size: 5_000,
    prepare: (size) =>
      explainTimer(`async function run() { await ${"f(() => ".repeat(size)}\nsleep(1)${")".repeat(size)} }`, "sleep"),
  },
  {
    id: "left-deep-brackets",
    ...kind,
    size: 5_000,
    prepare(size) {
      const calls = "await tick();".repeat(size);
      const work = `${"(".repeat(size)}async () => { ${calls} }${")".repeat(size)}`;
      return explainTimer(`async function tick() { await\nsleep(1); }\nconst run = [${work}];`, "sleep");
    },
  },
  {
    id: "left-long-statement",
    ...kind,
    size: 5_000,
    prepare: (size) =>
      explainTimer(
        `async function tick() { await\nsleep(1); }\nasync function run() { ${"await tick()\n".repeat(size)} }`,
        "sleep",
      ),
  },
  {
    id: "left-long-chains",
    ...kind,
    size: 8_000,
    prepare: (size) =>
      explainTimer(
        `async function tick() { await\nsleep(1); }\nfunction run() { x${".then(() => tick())".repeat(size)} }`,
        "sleep",
      ),
  },
  {
    id: "hint-long-chain",
    ...kind,
    size: 10_000,
    prepare: (size) =>
      explain(
        `export default { run(event) { event${".a()".repeat(size)}.\nb.c } }`,
        "cannot read property 'c' of undefined",
        "b.c",
      ),
  },
  {
    id: "hint-many-errors",
    ...kind,
    size: 1_500,
    prepare(size) {
      const code = `${"x".padEnd(100_000, ";x")}\nfunction run(a) { ${"const { b } = a; ".repeat(5_000)} }`;
      const source = sourceOf(code);
      const stack = `TypeError: cannot convert to object\n${frameAt(code, "function")}\n`.repeat(size);
      const error: ThrownError = { code: "component_threw", name: "Error", message: "", stack };
      return () => explainError(error, source, { props: [] });
    },
  },
  {
    id: "hint-open-parameters",
    ...kind,
    size: 20_000,
    prepare: (size) =>
      explain(`const a = [\nfunction f(${"b, ".repeat(size)}@c`, "cannot convert to object", "function"),
  },
  {
    id: "evaluate-long-frame",
    ...kind,
    size: 15_000,
    prepare(size) {
      const stack = `Error: x\n    at f(${"a".repeat(size)})(`;
      const error = { code: "component_threw", name: "Error", message: "x", stack } as const;
      const evaluate = createEvaluate(() => Promise.resolve({ ok: false, error }));
      const bundled = { bundle: "", sourceMap: mapOf("") };
      return () => evaluate(bundled, "x", () => new Error("refused") as never).catch(String);
    },
  },
  {
    id: "frame-no-such-line",
    ...kind,
    size: 3_000,
    prepare(size) {
      const text = "x;\n".repeat(100_000);
      return () => findCodeFrame("    at a.js:900000:1\n".repeat(size), () => text);
    },
  },
  {
    id: "frame-empty-lines",
    ...kind,
    size: 60_000,
    prepare: (size) => () => findCodeFrame("\n".repeat(size), () => undefined),
  },
  ...[4, 11].map((files) => ({
    id: `stacks-map-of-${files}-files`,
    ...kind,
    size: 100,
    prepare(size: number) {
      const sources = createAuthorSources();
      const sourceMap = largeMap(files);
      const stack = "Error: x\n    at run (bundle.js:7000:2)\n    at run (bundle.js:20000:2)";
      return () => {
        for (let log = 0; log < size; log += 1) authorStack(stack, sources(sourceMap));
      };
    },
  })),
];
