import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, test } from "vitest";

import { compilers, emitDeclarations } from "./typing/compiler.cases.ts";
import { completionsIn } from "./typing/completion.cases.ts";
import { describeTyping } from "./typing/typing.cases.ts";

// The newest compiler is in typing.test.ts.
describeTyping(compilers.slice(0, -1));

test("an editor completes the types and fields of props, and nothing else", async () => {
  const folder = await mkdtemp(join(tmpdir(), "x-completions-"));
  try {
    const declarations = await emitDeclarations(folder);
    const component = '{ props: { team: { type: "|" }, board: { type: "string", | } } }';
    const [types, fields] = completionsIn(component, declarations);
    expect(types).toEqual(expect.arrayContaining(["string", "integer[]", "$.interface.timer", "app"]));
    expect(fields).toEqual(expect.arrayContaining(["default", "label", "options", "propDefinition"]));
    expect(fields).not.toContain("trim");
  } finally {
    await rm(folder, { recursive: true });
  }
});
