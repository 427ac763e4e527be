import { existsSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

import { expect, test } from "vitest";

const docs = fileURLToPath(new URL("../docs", import.meta.url));
const text = readFileSync(`${docs}/main-thread.md`, "utf8");
const links = [...text.matchAll(/\[([^\]]+)\]\((\.\.\/packages\/[^)\s]+)\)/g)];

test("every file that the page on the main thread names exists, by its name", () => {
  expect(links.length).toBeGreaterThan(50);
  expect(links.filter(([, , target = ""]) => !existsSync(`${docs}/${target}`)).map(([link]) => link)).toEqual([]);
  expect(links.filter(([, name = "", target = ""]) => !target.endsWith(`/${name}`)).map(([link]) => link)).toEqual([]);
});
