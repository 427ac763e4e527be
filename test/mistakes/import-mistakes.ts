import { type Mistake, runs } from "./mistake.ts";

/** Imports that cannot be resolved, and code that cannot be parsed. */
export const importMistakes: readonly Mistake[] = [
  {
    title: "a missing file",
    code: runs("this.$emit(list());", "", 'import { list } from "./lists.js";\n'),
    says: ["./lists.js", "feed.js:1"],
  },
  {
    title: "a missing export",
    code: runs("this.$emit(list());", "", 'import { list } from "./list.js";\n'),
    files: { "list.js": "export const lists = () => [];\n" },
    says: ["list", "feed.js:1"],
  },
  {
    title: "a file outside of the root",
    code: runs("this.$emit(1);", "", 'import "../../secret.js";\n'),
    says: ["../../secret.js", "feed.js:1"],
  },
  {
    title: "a package that does not exist",
    code: runs("this.$emit(get());", "", 'import get from "loadsh-typo";\n'),
    says: ["loadsh-typo", "feed.js"],
    tools: ["run", "dev", "lint"],
  },
  {
    title: "a name that is computed",
    code: runs("const name = event.name;\nthis.$emit(await import(name));"),
    says: ["feed.js:6"],
    tools: ["run", "dev", "harness"],
  },
  {
    title: "a comma that is missing",
    code: 'export default {\n  name: "Feed"\n  version: "1",\n  run() {},\n};\n',
    says: ["feed.js:3"],
  },
  {
    title: "a bracket that is missing",
    code: 'export default {\n  name: "Feed",\n  version: "1",\n  run() {\n};\n',
    says: ["feed.js:"],
  },
  {
    title: "await in a function that is not async",
    code: 'export default {\n  name: "Feed",\n  version: "1",\n  run() {\n    const items = await fetch("https://acme.test/");\n    this.$emit(items);\n  },\n};\n',
    says: ["feed.js:5", "async"],
  },
  {
    title: "it throws while it loads",
    code: runs("this.$emit(1);", "", "const token = settings.token;\n"),
    says: ["settings", "feed.js:1"],
  },
];
