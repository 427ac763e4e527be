import { expect, test } from "vitest";

import { evaluate } from "../bundle.cases.ts";
import { withoutComputedCalls } from "./computed-call.ts";

const changed = (text: string): Promise<string> => withoutComputedCalls(text, "package:it/index.js", "js");

test("a text in a package that reads like an import stays as it is", async () => {
  const text = `module.exports = 'require("./plugins/" + name)'; (name) => api.import("lists/" + name);`;
  expect(await changed(text)).toBe(text);
});

test("calls of computed paths throw when they are made; everything else keeps its place", async () => {
  const text = `let said; try { ((name) => require("./" + name))("a"); } catch (error) { said = error.message; }
    module.exports = [said, 'require("./" + name)'];`;
  const code = await changed(text);
  expect(code.slice(0, text.length)).toBe(text.replace("require", "$equire"));
  const said = "Cannot find module './a': paths that are put together at run time are not bundled";
  expect(evaluate(code)).toEqual([said, 'require("./" + name)']);
});

test("code that is none is refused by esbuild", async () => {
  await expect(changed(`require("./" + `)).rejects.toThrow("Unexpected end of file");
});
