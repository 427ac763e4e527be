import type { Attack, AttackClass } from "../attack.ts";

/** Code to deploy; `CANARY` is the path of a file with a secret. The code is refused with 4xx, or emits no secret. */
export interface HostileCode extends Attack {
  readonly code: string;
  /** True: it must be refused. */
  readonly refused: boolean;
}

const run = (body: string, before = ""): string =>
  `${before}\nexport default { name: "t", version: "1", async run() { ${body} } }`;
type Row = readonly [id: string, code: string, refused?: "refused"];
const codes = (attackClass: AttackClass, promise: string, rows: readonly Row[]): readonly HostileCode[] =>
  rows.map(([id, code, refused]) => ({
    id: `${attackClass}-${id}`,
    class: attackClass,
    promise,
    code,
    refused: refused !== undefined,
  }));

const reads: readonly (readonly [id: string, code: string])[] = [
  ["absolute-json", run(`this.$emit(it)`, `import it from "CANARY"`)],
  ["attribute-json", run(`this.$emit(it)`, `import it from "CANARY" with { type: "json" }`)],
  ["attribute-text", run(`this.$emit(it)`, `import it from "CANARY" with { type: "text" }`)],
  ["attribute-bytes", run(`this.$emit([...it])`, `import it from "CANARY" with { type: "bytes" }`)],
  ["attribute-file", run(`this.$emit(it)`, `import it from "CANARY" with { type: "file" }`)],
  ["passwd", run(`this.$emit(it)`, `import it from "/etc/passwd" with { type: "text" }`)],
  ["relative", run(`this.$emit(it)`, `import it from "../../../../../../../../CANARY"`)],
  ["file-url", run(`this.$emit(it)`, `import it from "file://CANARY"`)],
  ["data-url", run(`this.$emit(it)`, `import it from "data:text/javascript,export default 1"`)],
  ["http-url", run(`this.$emit(it)`, `import it from "http://127.0.0.1:1/x.js"`)],
  ["node-data-import", run(`this.$emit(it)`, `import it from "data:application/json;base64,e30="`)],
  ["require", run(`this.$emit(require("CANARY"))`)],
  ["require-resolve", run(`this.$emit(require.resolve("CANARY"))`)],
  ["dynamic", run(`this.$emit((await import("CANARY")).default)`)],
  ["dynamic-template", run("const p = 'canary.json'; this.$emit((await import(`/tmp/${p}`)).default)")],
  ["glob", run("const p = process.argv[1]; this.$emit(await import(`./${p}.json`))")],
  ["glob-require", run("const p = ''; this.$emit(require('./' + p + '.json'))")],
  ["raw-query", run(`this.$emit(it)`, `import it from "CANARY?raw"`)],
  ["url-query", run(`this.$emit(it)`, `import it from "CANARY?url"`)],
  ["new-url", run(`this.$emit(String(await (await fetch(new URL("CANARY", "file:///"))).text()))`)],
  [
    "import-meta",
    run(`this.$emit([import.meta.url, import.meta.dirname, import.meta.filename].map((x) => /CANARY|work/.test(x)))`),
  ],
  ["source-map-comment", `${run("")}\n//# sourceMappingURL=file://CANARY`],
  ["export-star", `export * from "CANARY"; export default { name: "t", version: "1", run() {} }`],
  ["css-import", run(`this.$emit(1)`, `import "CANARY.css"`)],
  ["package-json", run(`this.$emit(it)`, `import it from "/srv/app/package.json"`)],
  ["self-package", run(`this.$emit(it)`, `import * as it from "@x/runtime"`)],
  ["host-module", run(`this.$emit(Object.keys(it))`, `import * as it from "x:host"`)],
  ["package-imports", run(`this.$emit(it)`, `import it from "#CANARY"`)],
  ["null-byte", run(`this.$emit(it)`, `import it from "CANARY\\0.js"`)],
  ["proc-self", run(`this.$emit(it)`, `import it from "/proc/self/environ" with { type: "text" }`)],
  ["tsconfig-paths", run(`this.$emit(it)`, `/// <reference path="CANARY" />\nimport it from "~/CANARY"`)],
  ["jsx-pragma", run(`this.$emit(1)`, `/** @jsxImportSource CANARY */`)],
];

const names = [
  "./../../etc/passwd",
  "a@npm:b",
  "a@file:/etc/passwd",
  "a@file:../..",
  "a@link:/etc",
  "a@workspace:*",
  "a@git+ssh://git@127.0.0.1/x.git",
  "a@git+https://127.0.0.1/x.git",
  "a@github:x/y",
  "a@x/y",
  "a@http://127.0.0.1:1/x.tgz",
  "a@https://127.0.0.1:1/x.tgz",
  "a@1.0.0 --registry=http://127.0.0.1:1",
  "--registry=http://127.0.0.1:1",
  "-g",
  "..",
  "@../x",
  "@x/../y",
  "@x/..",
  "%2e%2e/x",
  "a/../../x",
  "a@$(touch /tmp/x)",
  "a@`id`",
  "a@;id",
  "a@1.0.0\\nb",
  "node_modules",
  "favicon.ico",
  ".bin/x",
  "_x",
  "~x",
  "a".repeat(300),
  "a@" + "1".repeat(5_000),
  "a@>=0 <1 ||".padEnd(3_000, " >=0 ||"),
  "__proto__",
  "constructor@latest",
  "@__proto__/constructor",
];

const heavy: readonly Row[] = [
  ["unary", run(`return ${"!".repeat(300_000)}1`), "refused"],
  ["parens", run(`return ${"(".repeat(200_000)}1${")".repeat(200_000)}`), "refused"],
  ["arrays", run(`return ${"[".repeat(200_000)}${"]".repeat(200_000)}`), "refused"],
  ["objects", run(`return ${"{a:".repeat(80_000)}1${"}".repeat(80_000)}`), "refused"],
  ["functions", run(`return ${"()=>".repeat(100_000)}1`), "refused"],
  ["nested-functions", run(`${"(function(){".repeat(20_000)}${"})()".repeat(20_000)}`), "refused"],
  ["templates", run(`return ${"`${".repeat(50_000)}1${"}`".repeat(50_000)}`), "refused"],
  ["blocks", run(`${"{".repeat(200_000)}${"}".repeat(200_000)}`), "refused"],
  ["optional-chains", run(`return a${"?.a".repeat(150_000)}`)],
  ["additions", run(`return 1${"+1".repeat(200_000)}`)],
  ["types", `type A = ${"[".repeat(200_000)}${"]".repeat(200_000)};\n${run("")}`],
  ["jsx", run(`return ${"<a>".repeat(60_000)}${"</a>".repeat(60_000)}`), "refused"],
  ["too-large", `${run("")}\n//${"x".repeat(600_000)}`, "refused"],
  ["one-line", run(`return "${"x".repeat(400_000)}"`)],
  ["many-exports", `${Array.from({ length: 15_000 }, (_, n) => `export const a${n} = ${n};`).join("\n")}\n${run("")}`],
  [
    "many-classes",
    `${Array.from({ length: 4_000 }, (_, n) => `class A${n} { static #a = ${n}; #b = 1 }`).join("\n")}\n${run("")}`,
  ],
  ["no-text", "", "refused"],
  ["binary", "\0\x01\x02\ufffe", "refused"],
  ["surrogates", `export default { name: "\ud800", version: "1", run() {} }`],
  ["html-comment", `<!-- x\n${run("")}\n-->`],
  ["endless-evaluation", `for (;;);\n${run("")}`, "refused"],
  ["endless-await", `await new Promise(() => {});\n${run("")}`, "refused"],
  ["memory-at-evaluation", `const a = []; for (;;) a.push("x".repeat(1e6) + a.length);\n${run("")}`, "refused"],
  ["throws-at-evaluation", `throw { get message() { for (;;); } };\n${run("")}`, "refused"],
];

const shape = (members: string): string => `export default { name: "t", version: "1", run() {}, ${members} }`;
const shapes: readonly Row[] = [
  ["name-too-long", `export default { name: "x".repeat(1e5), version: "1", run() {} }`, "refused"],
  ["key-too-long", shape(`key: "x".repeat(1e5)`), "refused"],
  ["description-too-long", shape(`description: "x".repeat(1e5)`), "refused"],
  [
    "many-props",
    shape(`props: Object.fromEntries(Array.from({ length: 18e3 }, (_, n) => ["p" + n, "string"]))`),
    "refused",
  ],
  [
    "many-wrong-props",
    shape(`props: Object.fromEntries(Array.from({ length: 6e3 }, (_, n) => ["p" + n, { type: "x".repeat(100) }]))`),
    "refused",
  ],
  ["prop-name-too-long", shape(`props: { ["x".repeat(1e5)]: "string" }`), "refused"],
  ["proto-prop", shape(`props: JSON.parse('{"__proto__":{"type":"string"}}')`)],
  ["constructor-prop", shape(`props: { constructor: "string", toString: "string" }`)],
  ["getter-prop", shape(`get props() { for (;;); }`), "refused"],
  [
    "proxy-component",
    `export default new Proxy({}, { get: (t, k) => (k === "then" ? undefined : () => {}), ownKeys() { for (;;); } })`,
    "refused",
  ],
  ["cycle", `const a = { name: "t", version: "1", run() {} }; a.a = a; export default a`],
  ["deep", shape(`deep: Array.from({ length: 1e4 }).reduce((a) => [a], 1)`), "refused"],
  ["wide", shape(`wide: Array(3e4).fill({}).map(() => ({}))`), "refused"],
  ["large-text", shape(`text: "x".repeat(2e7)`), "refused"],
  [
    "forged-description",
    `Object.prototype.toJSON = function () { return "json" in this ? { json: "[" + "[],".repeat(3e6) + "[]]" } : this }; export default { name: "t", version: "1", run() {} }`,
    "refused",
  ],
  ["forged-function", shape(`run: { $function: true }, hooks: { deploy: { $function: true } }`)],
  ["regexp-options", shape(`props: { a: { type: "string", options: [/x/, () => {}, Symbol("x"), 1n] } }`), "refused"],
  [
    "long-undeclared",
    shape(`methods: { a() { ${Array.from({ length: 5_000 }, (_, n) => `this.u${n}()`).join(";")} } }`),
  ],
];

const crons = [
  "0-1000000000 * * * *",
  "0-10000000 * * * *",
  "*/0 * * * *",
  "*/-1 * * * *",
  "99999999999999999999 * * * *",
  "1e9 * * * *",
  "0x10 * * * *",
  "* * * * * * *",
  "*",
  "",
  "   ",
  "0 0 31 2 *",
  "0 0 30 2 1-0",
  "59-0 * * * *",
  `${Array(2_000).fill("1").join()} * * * *`,
  `${"*,".repeat(5_000)}* * * * *`,
  "* * * * ".repeat(1_000),
  "@reboot",
  "@every 1ns",
  "L * * * *",
  "* * LW * *",
  "* * * * 1#9",
  "H H * * *",
  "? ? ? ? ?",
  "\u0660 * * * *",
  "* * * * *\n* * * * *",
  "* * * jan-dec-jan *",
  "* * * * mon#1#2",
  "__proto__",
] as const;
const zones = ["Nowhere/Zone", "../../etc/passwd", "x".repeat(10_000), "__proto__", "UTC\0", "Etc/GMT+99"];
const intervals = ["0", "-1", "0.5", "1e999", "NaN", '"1"', "{}", "9007199254740993"];
const timer = (value: string): string => shape(`props: { timer: { type: "$.interface.timer", static: ${value} } }`);

export const hostileCodes: readonly HostileCode[] = [
  ...codes("imports", "imports-contained", reads),
  ...codes(
    "specifiers",
    "specifiers-named",
    names.map((name, index): Row => [String(index), run(`this.$emit(1)`, `import it from "${name}"; it`), "refused"]),
  ),
  ...codes("builds", "builds-contained", heavy),
  ...codes("shapes", "shapes-checked", shapes),
  ...codes("schedules", "shapes-checked", [
    ...crons.map((cron, index): Row => [`cron-${index}`, timer(`{ cron: ${JSON.stringify(cron)} }`), "refused"]),
    ...zones.map((zone, index): Row => [
      `zone-${index}`,
      timer(`{ cron: "* * * * *", timezone: ${JSON.stringify(zone)} }`),
      "refused",
    ]),
    // JSON has neither NaN nor Infinity, so the interval is missing.
    ...intervals.map((interval, index): Row => {
      const code = timer(`{ intervalSeconds: ${interval} }`);
      return interval === "NaN" || interval === "1e999"
        ? [`interval-${index}`, code]
        : [`interval-${index}`, code, "refused"];
    }),
  ]),
];
