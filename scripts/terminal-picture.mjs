// Makes docs/images/terminal.svg: what the commands of README.md print, as it is.
// Usage: node scripts/terminal-picture.mjs, after npm run build.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");
const folder = mkdtempSync(join(root, "test/.tmp/picture-"));
mkdirSync(join(folder, "test"));
for (const [, text, name] of readme.matchAll(/```[jt]s\n(\/\/ (test\/orders\S*)\n[^]*?)```/g))
  writeFileSync(join(folder, name), text);
symlinkSync(join(root, "x"), join(folder, "x"));

const commands = [`./x run test/orders.js --event '{"body":{"id":"A-1","total":12}}'`, "./x test test/orders.test.ts"];
const lines = commands.flatMap((command) => {
  const printed = execFileSync("sh", ["-c", `NO_COLOR=1 ${command}`], { cwd: folder, encoding: "utf8" });
  const shown = printed.replaceAll(`${folder}/`, "").replaceAll(folder, "orders").trim().split("\n");
  return [`$ ${command}`, ...shown.filter((line) => !/^\s*(?:Start at .*|Duration .*)?$/.test(line)), ""];
});
rmSync(folder, { recursive: true });

const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const [lineHeight, width] = [20, 760];
const height = lines.length * lineHeight + 20;
const rows = lines.map((line, index) => {
  const isCommand = line.startsWith("$ ");
  return `  <text x="16" y="${28 + index * lineHeight}" fill="${isCommand ? "#9ecbff" : "#e6edf3"}" xml:space="preserve">${escape(line)}</text>`;
});
writeFileSync(
  join(root, "docs/images/terminal.svg"),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="x runs and tests a component" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13">
  <rect width="${width}" height="${height}" rx="8" fill="#161b22"/>
${rows.join("\n")}
</svg>
`,
);
