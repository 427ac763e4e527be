import { readFileSync, writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";

const page = fileURLToPath(new URL("../docs/performance.md", import.meta.url));

/** Replaces the part of docs/performance.md between the marks of this name. */
export function updatePage(name: string, text: string): void {
  const [begin, end] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`];
  const [before = "", rest = ""] = readFileSync(page, "utf8").split(begin);
  writeFileSync(page, `${before}${begin}\n\n${text}\n\n${end}${rest.split(end)[1] ?? ""}`);
}
