import { component, type Mistake, runs } from "./mistake.ts";

const timer = 'props: { timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } } },';

/** Members of a component that are missing, misspelled or in another place. */
export const memberMistakes: readonly Mistake[] = [
  { title: "hook for hooks", code: runs("this.$emit(1);", "hook: { deploy() {} },"), says: ['did you mean "hooks"'] },
  {
    title: "a hook called onDeploy",
    code: runs("this.$emit(1);", "hooks: { onDeploy() {} },"),
    says: ["hooks.onDeploy is never called", 'did you mean "deploy"'],
  },
  {
    title: "a hook called activated",
    code: runs("this.$emit(1);", "hooks: { activated() {} },"),
    says: ['did you mean "activate"'],
  },
  {
    title: "a hook beside run",
    code: runs("this.$emit(1);", "activate() {},"),
    says: ["activate outside of hooks is never called", "hooks: {"],
  },
  {
    title: "a hook that is no function",
    code: runs("this.$emit(1);", 'hooks: { deploy: "now" },'),
    says: ["hooks.deploy must be a function"],
  },
  {
    title: "method for methods",
    code: runs("this.$emit(this.list());", "method: { list() { return [1]; } },"),
    says: ['did you mean "methods"'],
  },
  {
    title: "prop for props",
    code: runs("this.$emit(1);", timer.replace("props", "prop")),
    says: ['did you mean "props"'],
  },
  {
    title: "a function beside run",
    code: runs("this.$emit(this.list());", "list() { return [1]; },"),
    says: ["list is a function outside of methods", "move it into methods"],
  },
  { title: "methods is a list", code: runs("this.$emit(1);", "methods: [],"), says: ["methods must be an object"] },
  { title: "Run for run", code: component("Run() {},"), says: ["run is missing", 'there is "Run"'] },
  { title: "no run", code: component("execute() {},"), says: ["run is missing; expected a function"] },
  { title: "run is no function", code: component('run: "now",'), says: ["run must be a function"] },
  { title: "no name", code: 'export default { version: "1", run() {} };\n', says: ["name is missing"] },
  { title: "no version", code: 'export default { name: "Feed", run() {} };\n', says: ["version is missing"] },
  {
    title: "a version that is a number",
    code: 'export default { name: "Feed", version: 1, run() {} };\n',
    says: ["version must be a string, got 1"],
  },
  {
    title: "an unknown dedupe",
    code: runs("this.$emit(1, { id: 1 });", 'dedupe: "uniq",'),
    says: ['dedupe must be one of "unique"'],
  },
  { title: "dedup for dedupe", code: runs("this.$emit(1);", 'dedup: "unique",'), says: ['did you mean "dedupe"'] },
  {
    title: "a key that looks like an id",
    code: runs("this.$emit(1);", 'key: "sc_feed",'),
    says: ["key must be", 'does not start with "sc_"'],
  },
  {
    title: "only a named export",
    code: 'export const feed = { name: "Feed", version: "1", run() {} };\n',
    says: ["no default export", "exports feed", "export default feed"],
  },
  {
    title: "nothing exported",
    code: 'const feed = { name: "Feed", version: "1", run() {} };\n',
    says: ["no default export", "exports nothing", "export default { … }"],
  },
  {
    title: "a function as the default export",
    code: "export default async function run() {}\n",
    says: ["The module's export must be one object"],
  },
  {
    title: "a prop and a method with the same name",
    code: runs(
      "this.$emit(this.list);",
      'props: { list: { type: "string", optional: true } },\nmethods: { list() {} },',
    ),
    says: ['Method "list" has the name of a prop', "rename one of them"],
  },
];
