export const coverageConfig = `import { defineConfig } from "vitest/config";
export default defineConfig({
  test: { coverage: { provider: "istanbul", reporter: ["json"], reportsDirectory: "coverage" } },
});
`;

/** A project whose lines are marked: `//+` runs, `//-` does not run, no mark means no statement. */
export const coveredProject = (engine: string): { readonly [file: string]: string } => ({
  "sources/feed.ts": `import { label, type Item } from "../common/label.ts";
import { upper } from "../common/words.ts";

export default {
  name: "Feed",
  version: "1",
  methods: {
    never(): void {
      throw new Error("not called"); //-
    },
    both(flag: boolean): string {
      return flag ? "yes" : "no"; //+
    },
  },
  async run(this: any, event: { n: number }): Promise<void> {
    const item: Item = { id: event.n }; //+
    if (event.n > 100) { //+
      this.$emit("big"); //-
    } else {
      this.$emit(upper(label(item))); //+
    }
    this.both(true); //+
    if (event.n === 9) //+
      throw new Error("nine"); //+
    await null; //+
    if (event.n === 8) { //+
      for (;;); //+
    }
    console.log("done"); //+
  },
};
`,
  "common/label.ts": `export interface Item {
  readonly id: number;
}
enum Size { //+
  Small, //+
  Large, //+
}

export function label(item: Item): string {
  const size = item.id > 5 ? Size.Large : Size.Small; //+
  if (item.id < 0) //+
    return "none"; //-
  return \`item \${item.id} \${Size[size]}\`; //+
}
`,
  "plain.mjs": `import { once, twice } from "./twice.mjs";

const limit = 3; //+
export default {
  name: "Plain",
  version: "1",
  hooks: {
    deploy() {
      fail(limit); //+
    },
  },
  run() {
    this.$emit(twice(once(1))); //-
  },
};

function fail(n) {
  const text = "boom " + n; //+
  throw new Error(text); //+
}
`,
  "common/words.ts": `export function upper(text: string): string {
  return (text as string).toUpperCase(); //+
}
export const kinds = [1].map(({ toFixed }: { toFixed: unknown }) => [typeof toFixed]); //+
export const lower = <Text extends string>(text: Text): string => text.toLowerCase(); //+
`,
  "twice.mjs": `/** Runs in the test alone. */
export function once(n) {
  return n; //+
}
/** Runs in the sandbox alone. */
export const unit = make(2); //+
function make(n) {
  return n; //+
}
export function twice(n) {
  return n * unit; //-
}
`,
  "project.test.mjs": `import { source } from "@x/testing/vitest";
import { expect, test, vi } from "vitest";

import { lower } from "./common/words.ts";
import imported from "./sources/feed.ts";
import { once } from "./twice.mjs";

vi.stubEnv("X_ENGINE", ${JSON.stringify(engine)});

test("a component that throws and one that never ends", async () => {
  const root = new URL(".", import.meta.url);
  const feed = source(imported, { root, limits: { runTimeoutMs: 600 } });
  await feed.deploy();
  await feed.run({ n: 2 });
  await expect(feed.run({ n: 9 })).rejects.toThrow("nine");
  await expect(feed.run({ n: 8 })).rejects.toThrow("longer");
});

test("a hook that throws", async () => {
  const plain = source(new URL("plain.mjs", import.meta.url));
  await expect(plain.deploy()).rejects.toThrow("boom 3");
  expect([once(1), lower("A")]).toEqual([1, "a"]);
});
`,
});
