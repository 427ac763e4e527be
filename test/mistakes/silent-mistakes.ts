import { component, type Mistake, type Tool, runs } from "./mistake.ts";

const lint: readonly Tool[] = ["lint"];
const http = 'props: { http: "$.interface.http" },';
const unique = 'dedupe: "unique",';

/** What the first version of a component gets wrong without a word at its run, or with one that is far from the place. */
export const silentMistakes: readonly Mistake[] = [
  {
    title: "run as an arrow function with this",
    code: component("run: async () => {\n  this.$emit(1);\n},"),
    says: ["feed.js:4", "arrow function"],
    tools: lint,
  },
  {
    title: "a method as an arrow function with this",
    code: component('methods: {\n  url: () => this.base + "/a",\n},\nrun() {\n  this.$emit(this.url());\n},'),
    says: ["feed.js:5", "arrow function"],
    tools: lint,
  },
  {
    title: "a hook as an arrow function with this",
    code: component("hooks: {\n  activate: async () => {\n    this.$emit(1);\n  },\n},\nrun() {},"),
    says: ["feed.js:5", "arrow function"],
    tools: lint,
  },
  {
    title: "options as an arrow function with this",
    code: component('props: {\n  list: { type: "string", options: () => [this.first] },\n},\nrun() {},'),
    says: ["feed.js:5", "arrow function"],
    tools: lint,
  },
  {
    title: "a token of process.env",
    code: runs('await fetch("https://api.example.com/?t=" + process.env.ACME_TOKEN);'),
    says: ["feed.js:5", "process.env"],
    tools: lint,
  },
  {
    title: "a token of process.env in a method",
    code: component(
      'methods: {\n  token() {\n    return process.env["ACME_TOKEN"];\n  },\n},\nrun() {\n  this.$emit(this.token());\n},',
    ),
    says: ["feed.js:6", "process.env"],
    tools: lint,
  },
  {
    title: "respond without customResponse",
    code: runs("this.http.respond({ status: 201 });\nthis.$emit(event.body);", http),
    says: ["feed.js:6", "customResponse"],
    tools: lint,
  },
  {
    title: "respond of a method without customResponse",
    code: component(
      `${http}\nmethods: {\n  refuse() {\n    this.http.respond({ status: 400 });\n  },\n},\nrun() {\n  this.refuse();\n},`,
    ),
    says: ["feed.js:7", "customResponse"],
    tools: lint,
  },
  {
    title: "no id under dedupe, seen before any run",
    code: runs("this.$emit({ id: 1 });", unique),
    says: ["feed.js:6", "id"],
    tools: lint,
  },
  {
    title: "an option object without id under dedupe",
    code: runs('this.$emit({ id: 1 }, { summary: "One" });', unique),
    says: ["feed.js:6", "id"],
    tools: lint,
  },
  {
    title: "no id under dedupe, by another name of $emit",
    code: runs("const emit = this.$emit;\nemit({ id: 1 });", unique),
    says: ["feed.js:7", "id"],
    tools: lint,
  },
  {
    title: "no id under dedupe, in a method",
    code: component(
      `${unique}\nmethods: {\n  send(item) {\n    this.$emit(item);\n  },\n},\nrun() {\n  this.send({ id: 1 });\n},`,
    ),
    says: ["feed.js:7", "id"],
    tools: lint,
  },
  {
    title: "a Map in an event",
    code: runs('this.$emit(new Map([["a", 1]]));'),
    says: ["feed.js:5", "Map"],
    tools: lint,
  },
  {
    title: "a Set in a member of an event",
    code: runs('this.$emit({ tags: new Set(["a"]) });'),
    says: ["feed.js:5", "Set"],
    tools: lint,
  },
  {
    title: "a promise in an event",
    code: runs('this.$emit({ page: fetch("https://api.example.com/") });'),
    says: ["feed.js:5", "Await"],
    tools: lint,
  },
  {
    title: "a Map in the db",
    code: runs('this.db.set("seen", new Map());', 'props: { db: "$.service.db" },'),
    says: ["feed.js:6", "Map"],
    tools: lint,
  },
  {
    title: "defineComponent without its import",
    code: 'export default defineComponent({\n  name: "Feed",\n  version: "0.1.0",\n  run() {},\n});\n',
    says: ['import { defineComponent } from "@x/types"'],
    tools: ["run", "dev", "lint"],
  },
  {
    title: "defineAction without its import",
    code: 'export default defineAction({\n  name: "Feed",\n  version: "0.1.0",\n  run() {},\n});\n',
    says: ['import { defineAction } from "@x/types"'],
    tools: ["run", "dev", "lint"],
  },
  {
    title: "two ids beyond 2^53",
    code: runs(
      'for (const text of ["9007199254740993", "9007199254740992"]) this.$emit(text, { id: JSON.parse(text) });',
      unique,
    ),
    says: ["2^53", "bodyRaw"],
    tools: ["run", "harness"],
  },
  {
    title: "a time in seconds as ts",
    code: runs("this.$emit(1, { ts: 1_795_200_000 });"),
    says: ["seconds", "multiply it by 1,000"],
    tools: ["run"],
  },
  {
    title: "a text as id under greatest",
    code: runs('this.$emit(1, { id: "2026-11-28" });', 'dedupe: "greatest",'),
    says: ["feed.js:6", "numeric"],
    tools: ["run", "harness"],
  },
  {
    title: "a file read beside import.meta.url",
    code: runs('this.$emit(String(new URL("./data.json", import.meta.url)));'),
    says: ["import.meta"],
    tools: ["run", "lint"],
  },
];
