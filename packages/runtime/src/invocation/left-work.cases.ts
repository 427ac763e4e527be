/** A component in files; the mark is before the name of the call that is not awaited. */
export interface Leaving {
  readonly what: string;
  readonly run?: string;
  readonly methods?: string;
  readonly hooks?: string;
  readonly head?: string;
  readonly typescript?: boolean;
  /** The call and the pending work in the warning; absent: no warning. */
  readonly left?: readonly [call: string, what: string];
}

export const mark = "/*HERE*/";
export const url = "http://api.example/slow";
const unanswered = `GET ${url} had no answer`;
export const timer = (ms: number): string => `a timer of ${ms} ms had not fired`;
const ticks = "for (let n = 0; n < 10; n++) await null;";

export const left: readonly Leaving[] = [
  {
    what: "a method that awaits a request",
    run: `this.${mark}later();`,
    methods: `async later() { const answer = await fetch("${url}"); this.$emit(answer); }`,
    left: ["this.later()", unanswered],
  },
  {
    what: "a method that has awaited before",
    run: `this.${mark}later(1);`,
    methods: `async later() { ${ticks} await fetch("${url}"); }`,
    left: ["this.later(…)", unanswered],
  },
  {
    what: "a method behind one that awaits it",
    run: `await null;\nthis.${mark}outer();`,
    methods: `async outer() { await this.later(); }, async later() { ${ticks} await sleep(50); }`,
    left: ["this.outer()", timer(50)],
  },
  {
    what: "a method in TypeScript",
    typescript: true,
    run: `this.${mark}outer();`,
    methods: `async outer(): Promise<void> { await this.later(); }, async later(): Promise<Array<string>> { ${ticks} await sleep(50); return []; }`,
    left: ["this.outer()", timer(50)],
  },
  {
    what: "a function of its own",
    run: `const work = async () => { ${ticks} await sleep(20); };\n${mark}work();`,
    left: ["work()", timer(20)],
  },
  { what: "fetch", run: `${mark}fetch("${url}");`, left: ["fetch(…)", unanswered] },
  {
    what: "fetch with then",
    run: `${mark}fetch("${url}").then((answer) => answer.json()).then((data) => this.$emit(data));`,
    left: ["fetch(…)", unanswered],
  },
  {
    what: "fetch, after the end",
    run: `this.${mark}later();`,
    methods: `async later() { ${ticks} await fetch("${url}"); }`,
    left: ["this.later()", unanswered],
  },
  {
    what: "http.get",
    head: `import http from "node:http";`,
    run: `http.${mark}get("${url}", (answer) => this.$emit({}));`,
    left: ["http.get(…)", unanswered],
  },
  {
    what: "forEach with an async function",
    run: `[1].${mark}forEach(async (item) => { await sleep(20); this.$emit({ item }); });`,
    left: ["[1].forEach(…)", timer(20)],
  },
  {
    what: "forEach with one that has awaited before",
    run: `[1].${mark}forEach(async (item) => { ${ticks} await sleep(20); });`,
    left: ["[1].forEach(…)", timer(20)],
  },
  { what: "setTimeout", run: `${mark}setTimeout(() => this.$emit({}), 1_000);`, left: ["setTimeout(…)", timer(1_000)] },
  {
    what: "setInterval",
    run: `const timer = ${mark}setInterval(() => this.$emit({}), 1_000);`,
    left: ["setInterval(…)", "an interval of 1000 ms was still set"],
  },
  {
    what: "an emit after the end",
    run: `this.${mark}later();`,
    methods: `async later() { ${ticks} this.$emit({}); }`,
    left: ["this.later()", "$emit was called after the end"],
  },
  {
    what: "a db write after the end",
    run: `this.${mark}later();`,
    methods: `async later() { ${ticks} this.db.set("seen", 1); }`,
    left: ["this.later()", `the db key "seen" was written after the end`],
  },
  {
    what: "a package's function",
    head: `import { retry } from "retrying";`,
    run: `${mark}retry(() => {});`,
    left: ["retry(…)", timer(100)],
  },
  {
    what: "a package's function that has awaited before",
    head: `import client from "client";`,
    run: `client.${mark}get("${url}");`,
    left: ["client.get(…)", unanswered],
  },
];

/** Functions without a name, where they are called. */
export const anonymous: readonly Leaving[] = [
  {
    what: "an arrow function that is called in place",
    run: `${mark}(async () => { await sleep(30); this.$emit({}); })();`,
    left: ["(async …)()", timer(30)],
  },
  {
    what: "one that has awaited before",
    run: `${mark}(async () => { ${ticks} await sleep(30); })();`,
    left: ["(async …)()", timer(30)],
  },
  { what: "one without braces", run: `${mark}(async () => fetch("${url}"))();`, left: ["(async …)()", unanswered] },
  {
    what: "one with braces that emits late",
    run: `${mark}(async () => { ${ticks} this.$emit({}); })();`,
    left: ["(async …)()", "$emit was called after the end"],
  },
  {
    what: "one that returns a call",
    run: `${mark}(async () => { ${ticks} return sleep(30); })();`,
    left: ["(async …)()", timer(30)],
  },
  {
    what: "one behind void",
    run: `void ${mark}(async () => { await sleep(30); })();`,
    left: ["(async …)()", timer(30)],
  },
  {
    what: "one with arguments",
    run: `${mark}(async (ms) => { await sleep(ms); })(30);`,
    left: ["(async …)(…)", timer(30)],
  },
  {
    what: "one whose promise is kept",
    run: `const work = ${mark}(async () => { await sleep(30); })();\nif (!work) return;`,
    left: ["(async …)()", timer(30)],
  },
  {
    what: "one with catch",
    run: `${mark}(async () => { await sleep(30); })().catch(() => {});`,
    left: ["(async …)()", timer(30)],
  },
  {
    what: "a function expression",
    run: `${mark}(async function () { await sleep(30); })();`,
    left: ["(async …)()", timer(30)],
  },
  {
    what: "a named function expression",
    run: `${mark}(async function work() { ${ticks} await sleep(30); })();`,
    left: ["(async …)()", timer(30)],
  },
  {
    what: "a function expression with call",
    run: `(async function () { await sleep(30); this.$emit({}); }).${mark}call(this);`,
    left: ["(async …).call(…)", timer(30)],
  },
  {
    what: "a method of an object in place",
    run: `({ async go() { ${ticks} await sleep(30); } }).${mark}go();`,
    left: ["(…).go()", timer(30)],
  },
  {
    what: "a method of a class",
    run: `class Work { async go() { ${ticks} await sleep(30); } }\nnew Work().${mark}go();`,
    left: ["new Work().go()", timer(30)],
  },
  {
    what: "a callback of then",
    run: `Promise.resolve().${mark}then(async () => { await sleep(30); this.$emit({}); });\nawait null; await null; await null;`,
    left: ["Promise.resolve().then(…)", timer(30)],
  },
  {
    what: "a second callback of then",
    run: `Promise.resolve().then(() => 1).${mark}then(async () => { await sleep(30); });\n${ticks}`,
    left: ["Promise.resolve().then(…).then(…)", timer(30)],
  },
  {
    what: "a callback of then that has awaited before",
    run: `Promise.resolve().${mark}then(async () => { ${ticks} await sleep(30); });\n`,
    left: ["Promise.resolve().then(…)", timer(30)],
  },
  {
    what: "a callback of finally",
    run: `Promise.resolve().${mark}finally(async () => { await sleep(30); });\n${ticks}`,
    left: ["Promise.resolve().finally(…)", timer(30)],
  },
  {
    what: "a callback of a timer",
    run: `${mark}setTimeout(async () => { await sleep(50); this.$emit({}); }, 1);\nawait sleep(5);`,
    left: ["setTimeout(…)", timer(50)],
  },
  {
    what: "a callback of a timer that has awaited before",
    run: `${mark}setTimeout(async () => { ${ticks} await sleep(50); }, 1);\nawait sleep(5);`,
    left: ["setTimeout(…)", timer(50)],
  },
  {
    what: "a function expression for a timer",
    run: `${mark}setTimeout(async function () { await sleep(50); }, 1);\nawait sleep(5);`,
    left: ["setTimeout(…)", timer(50)],
  },
  {
    what: "a callback of setImmediate",
    run: `${mark}setImmediate(async () => { await sleep(50); });\nawait sleep(5);`,
    left: ["setImmediate(…)", timer(50)],
  },
  {
    what: "a callback of queueMicrotask",
    run: `${mark}queueMicrotask(async () => { await sleep(50); });\nawait null; await null;`,
    left: ["queueMicrotask(…)", timer(50)],
  },
  {
    what: "one inside one that awaits it",
    run: `${mark}(async () => { await (async () => { await sleep(30); })(); })();`,
    left: ["(async …)()", timer(30)],
  },
  {
    what: "one inside one that awaits it, after a while",
    run: `${mark}(async () => { await (async () => { ${ticks} await sleep(30); })(); })();`,
    left: ["(async …)()", timer(30)],
  },
  {
    what: "one inside one that is awaited",
    run: `await (async () => { ${mark}(async () => { await sleep(30); })(); })();`,
    left: ["(async …)()", timer(30)],
  },
  {
    what: "one in a method",
    run: `this.later();`,
    methods: `later() { ${mark}(async () => { await sleep(30); })(); }`,
    left: ["(async …)()", timer(30)],
  },
  {
    what: "one in a method that passes it on",
    run: `this.${mark}later();`,
    methods: `later() { return (async () => { ${ticks} await sleep(30); })(); }`,
    left: ["this.later()", timer(30)],
  },
  {
    what: "one in forEach in a method",
    run: `this.later();`,
    methods: `later() { [1].${mark}forEach(async () => { await sleep(30); }); }`,
    left: ["[1].forEach(…)", timer(30)],
  },
  {
    what: "a request in a method that passes nothing on",
    run: `this.later();`,
    methods: `later() { ${mark}fetch("${url}"); }`,
    left: ["fetch(…)", unanswered],
  },
  {
    what: "a method in one",
    run: `${mark}(async () => { await this.later(); })();`,
    methods: `async later() { ${ticks} await sleep(30); }`,
    left: ["(async …)()", timer(30)],
  },
  {
    what: "one on several lines",
    run: `await null;\n${mark}(async () => {\n  const a = 1;\n  await sleep(30 * a);\n  this.$emit({ a });\n})();`,
    left: ["(async …)()", timer(30)],
  },
  {
    what: "one in Promise.all",
    run: `Promise.all([${mark}(async () => { await sleep(30); })()]);`,
    left: ["(async …)()", timer(30)],
  },
  {
    what: "one in map in Promise.all",
    run: `Promise.all([1].${mark}map(async (n) => { ${ticks} await sleep(30 * n); }));`,
    left: ["[1].map(…)", timer(30)],
  },
  {
    what: "an executor",
    run: `new ${mark}Promise(async (done) => { await sleep(30); done(); });`,
    left: ["new Promise(…)", timer(30)],
  },
  {
    what: "one in TypeScript",
    typescript: true,
    run: `${mark}(async (): Promise<void> => { await sleep(30); this.$emit({}); })();`,
    left: ["(async …)()", timer(30)],
  },
  {
    what: "one in TypeScript with parameters",
    typescript: true,
    run: `${mark}(async <T,>(ms: number, _rest?: readonly T[]): Promise<Array<T>> => { ${ticks} await sleep(ms as number); return []; })(30);`,
    left: ["(async …)(…)", timer(30)],
  },
  {
    what: "a function expression in TypeScript",
    typescript: true,
    run: `${mark}(async function (this: void): Promise<void> { await sleep(30); })();`,
    left: ["(async …)()", timer(30)],
  },
  {
    what: "a callback of a timer in TypeScript",
    typescript: true,
    run: `${mark}setTimeout(async (): Promise<void> => { await sleep(50); }, 1);\nawait sleep(5);`,
    left: ["setTimeout(…)", timer(50)],
  },
  {
    what: "a callback of then in TypeScript",
    typescript: true,
    run: `Promise.resolve(30).${mark}then(async (ms: number): Promise<void> => { await sleep(ms); });\n${ticks}`,
    left: ["Promise.resolve(30).then(…)", timer(30)],
  },
];

export const harmless: readonly Leaving[] = [
  {
    what: "calls that are awaited",
    run: `await this.later(); await Promise.all([1, 2].map((n) => this.later(n)));`,
    methods: `async later() { await sleep(5); this.$emit({}); this.db.set("a", 1); }`,
  },
  { what: "an emit and a db write that are not awaited", run: `this.$emit({}); this.db.set("a", 1);` },
  { what: "an emit of a method that needs no time", run: `[1, 2].forEach(async (n) => { this.$emit({ n }); });` },
  {
    what: "a time limit in a race",
    run: `await Promise.race([sleep(1), new Promise((_, reject) => setTimeout(reject, 9_000))]);`,
  },
  { what: "a time limit of a function in a race", run: `await Promise.race([sleep(1), sleep(9_000)]);` },
  {
    what: "a time limit that is kept and races",
    run: `const late = sleep(9_000);\nawait Promise.race([sleep(1), late]);`,
  },
  {
    what: "a timer that holds no process",
    run: `setTimeout(() => {}, 9_000).unref(); setInterval(() => {}, 9_000).unref();`,
  },
  {
    what: "a timer that is cleared",
    run: `clearTimeout(setTimeout(() => {}, 9_000)); clearInterval(setInterval(() => {}, 9_000));`,
  },
  {
    what: "a time limit of a signal that was not needed",
    run: `await fetch("http://api.example/fast", { signal: AbortSignal.timeout(9_000) });`,
  },
  {
    what: "a time limit of http that was not needed",
    head: `import http from "node:http";`,
    run: `await new Promise((done) => http.get("http://api.example/fast", { timeout: 9_000 }, (answer) => answer.resume().on("end", done)));`,
  },
  {
    what: "a package's timer for what it keeps",
    head: `import { Pool } from "pooled";`,
    run: `const pool = new Pool(); await pool.get();`,
  },
];

export const packages = {
  "node_modules/retrying/package.json": `{ "name": "retrying", "version": "1.0.0", "main": "index.js" }`,
  "node_modules/retrying/index.js": `exports.retry = async (work) => { await new Promise((done) => setTimeout(done, 100)); return work(); };`,
  "node_modules/client/package.json": `{ "name": "client", "version": "1.0.0", "main": "index.js" }`,
  "node_modules/client/index.js": `exports.get = async (url) => { for (let n = 0; n < 5; n++) await null; return fetch(url); };`,
  "node_modules/pooled/package.json": `{ "name": "pooled", "version": "1.0.0", "main": "index.js" }`,
  "node_modules/pooled/index.js": `exports.Pool = class { constructor() { this.idle = setTimeout(() => {}, 30000); } async get() { await null; setTimeout(() => {}, 30000); } };`,
};
