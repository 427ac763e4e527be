import { type Mistake, running, runs } from "./mistake.ts";

const db = 'props: { db: "$.service.db" },';
const items = "methods: { async items() { return [{ id: 1 }]; } },";
const http = 'props: { http: { type: "$.interface.http", customResponse: true } },';
const request = { method: "POST", path: "/", headers: {}, query: {}, body: {} };
const tools = running;

/** What fails, or is lost, while a component runs. */
export const runMistakes: readonly Mistake[] = [
  {
    title: "fetch is not awaited",
    code: runs('const response = fetch("http://127.0.0.1:1/");\nthis.$emit(await response.json());'),
    says: ["feed.js:6", "response"],
    tools: ["run", "dev"],
  },
  {
    title: "a method is not awaited in a loop",
    code: runs("for (const item of this.items()) this.$emit(item);", items),
    says: ["await this.items()", "feed.js:6"],
    tools,
  },
  {
    title: "a promise is emitted",
    code: runs("this.$emit({ items: this.items() });", items),
    says: ["event.items is a Promise", "await it first", "feed.js:6"],
    tools,
  },
  {
    title: "an async method is not awaited",
    code: runs(
      "this.later();",
      "methods: { async later() { await new Promise((done) => setTimeout(done, 1000)); this.$emit(1); } },",
    ),
    says: ["await", "feed.js"],
    tools,
  },
  {
    title: "an unhandled rejection",
    code: runs("this.later();\nawait null;", 'methods: { async later() { throw new Error("no"); } },'),
    says: ["nobody handled it", "feed.js:4"],
    tools,
  },
  {
    title: "a Map is emitted",
    code: runs("this.$emit({ seen: new Map([[1, 2]]) });"),
    says: ["event.seen is a Map", "Object.fromEntries"],
    tools,
  },
  {
    title: "an error is emitted",
    code: runs('try {\n  JSON.parse("{");\n} catch (error) {\n  this.$emit({ error });\n}'),
    says: ["event.error is an Error", "give its message"],
    tools,
  },
  {
    title: "a response is emitted unread",
    code: runs("this.$emit(new Response('[]'));"),
    says: ["event is a Response", "await response.json()"],
    tools,
  },
  {
    title: "a Set is stored",
    code: runs('this.db.set("seen", new Set([1]));', db),
    says: ['db.set("seen"): value is a Set', "[...set]"],
    tools,
  },
  {
    title: "a function is emitted",
    code: runs("this.$emit({ id: 1, show() {} });"),
    says: ["event.show is a function"],
    tools,
  },
  {
    title: "a circular event",
    code: runs("const event1 = {};\nevent1.self = event1;\nthis.$emit(event1);"),
    says: ["event.self refers back", "feed.js:7"],
    tools,
  },
  {
    title: "a BigInt is emitted",
    code: runs("this.$emit({ id: 1n });"),
    says: ["event.id is a BigInt", "feed.js:5"],
    tools,
  },
  {
    title: "no id under dedupe",
    code: runs("const item = { id: 1 };\nthis.$emit(item);", 'dedupe: "unique",'),
    says: ["id", "feed.js:7"],
  },
  {
    title: "an undefined id",
    code: runs("this.$emit({ a: 1 }, { id: event.id });", 'dedupe: "unique",'),
    says: ["id", "feed.js:6"],
    tools,
  },
  {
    title: "an id that is NaN",
    code: runs("this.$emit({ a: 1 }, { id: Date.parse(event.at) });", 'dedupe: "unique",'),
    says: ["NaN", "feed.js:6"],
    tools,
  },
  {
    title: "text as an id under greatest",
    code: runs('this.$emit({ a: 1 }, { id: "abc" });', 'dedupe: "greatest",'),
    says: ["abc", "feed.js:6"],
    tools,
  },
  {
    title: "an invalid time",
    code: runs('this.$emit(1, { ts: "yesterday" });'),
    says: ["ts yesterday is not a time"],
    tools,
  },
  {
    title: "a time in seconds",
    code: runs("this.$emit(1, { ts: 1_795_197_600 });"),
    says: ["ts 1795197600 seems to be in seconds", "multiply it by 1,000"],
    tools,
  },
  {
    title: "this.emit",
    code: runs("this.emit(1);"),
    says: ["this.emit is not a function", "this.$emit", "feed.js:5"],
    tools,
  },
  {
    title: "this.db without a prop",
    code: runs('this.db.set("a", 1);'),
    says: ['props: { db: "$.service.db" }', "feed.js:5"],
    tools,
  },
  {
    title: "this inside of a function",
    code: runs("const send = function () {\n  this.$emit(1);\n};\nsend();"),
    says: ["feed.js:6"],
    tools,
  },
  { title: "an undefined name", code: runs("this.$emit(axios.get);"), says: ["axios", "feed.js:5"], tools },
  {
    title: "a member of undefined",
    code: runs("this.$emit(event.user.name);"),
    says: ["feed.js:5"],
    tools,
  },
  {
    title: "an environment variable",
    code: runs("this.$emit(process.env.TOKEN.trim());"),
    says: ["process.env is empty in components", "feed.js:5"],
    tools,
  },
  {
    title: "a file of the host",
    code: runs('this.$emit(readFileSync("/etc/hosts", "utf8"));', "", 'import { readFileSync } from "node:fs";\n'),
    says: ["hint", "/tmp", "feed.js:6"],
    tools,
  },
  {
    title: "a program is started",
    code: runs('execSync("ls");', "", 'import { execSync } from "node:child_process";\n'),
    says: ["not available", "feed.js:6"],
    tools,
  },
  {
    title: "no account",
    code: runs(
      "this.$emit(this.acme.$auth.token.trim());",
      'props: { acme: { type: "app", app: "acme", optional: true } },',
    ),
    says: ["this.acme.$auth.token", "feed.js:6"],
    tools,
  },
  { title: "text that is no JSON", code: runs('this.$emit(JSON.parse("<html>"));'), says: ["feed.js:5"], tools },
  { title: "text is thrown", code: runs('throw "no items";'), says: ["no items"], tools },
  {
    title: "no response",
    code: runs("this.$emit(1);", http),
    event: request,
    says: ["this.http.respond()"],
    tools: ["run"],
  },
  {
    title: "a response without a status",
    code: runs("this.http.respond({ body: {} });", http),
    event: request,
    says: ["status must be an integer"],
    tools: ["run"],
  },
  {
    title: "statusCode",
    code: runs("this.http.respond({ statusCode: 200 });", http),
    event: request,
    says: ["did you mean status?"],
    tools: ["run"],
  },
  {
    title: "a response without a request",
    code: runs("this.http.respond({ status: 200 });", http),
    event: { a: 1 },
    says: ["this.http.respond", "request"],
    tools,
  },
  {
    title: "a hook that fails",
    code: runs(
      "",
      'hooks: {\n  async deploy() {\n    console.log("begins");\n    throw new Error("The API answered 401");\n  },\n},',
    ),
    says: ['Hook "deploy" failed', "The API answered 401", "feed.js:7"],
    tools: ["run", "dev"],
  },
  {
    title: "a hook that requests a loopback address",
    code: runs("", 'hooks: {\n  async activate() {\n    await fetch("http://127.0.0.1:1/");\n  },\n},'),
    says: ["loopback addresses are denied", "feed.js:6"],
    tools: ["run", "dev"],
  },
];
