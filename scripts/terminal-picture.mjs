// Makes docs/images/terminal.svg: what the commands of README.md print, in its colours.
// Usage: node scripts/terminal-picture.mjs, after npm run build.
import { execFileSync } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { stripVTControlCharacters } from "node:util";

const root = fileURLToPath(new URL("..", import.meta.url));
const readme = readFileSync(join(root, "README.md"), "utf8");
const folder = mkdtempSync(join(root, "test/.tmp/picture-"));
mkdirSync(join(folder, "test"));
for (const [, text, name] of readme.matchAll(/```[jt]s\n(\/\/ (test\/orders\S*)\n[^]*?)```/g))
  writeFileSync(join(folder, name), text);
symlinkSync(join(root, "x"), join(folder, "x"));

const commands = [`./x run test/orders.js --event '{"body":{"id":"A-1","total":12}}'`, "./x test test/orders.test.ts"];
const lines = commands.flatMap((command) => {
  const printed = execFileSync("sh", ["-c", `FORCE_COLOR=1 ${command}`], { cwd: folder, encoding: "utf8" });
  const shown = printed.replaceAll(`${folder}/`, "").replaceAll(folder, "orders").trim().split("\n");
  return [
    `$ ${command}`,
    ...shown.filter((line) => !/^\s*(?:Start at .*|Duration .*)?$/.test(stripVTControlCharacters(line))),
    "",
  ];
});
rmSync(folder, { recursive: true });

/** The colours of a terminal by their codes, for letters; 10 more for their ground. */
const colours = {
  30: "#161b22",
  31: "#ff7b72",
  32: "#7ee787",
  33: "#e3b341",
  34: "#79c0ff",
  35: "#d2a8ff",
  36: "#76e3ea",
  90: "#9198a1",
};
const plain = { fill: "#e6edf3", ground: undefined, isBold: false, isDim: false };

/** What is printed after a code. */
function after(state, code) {
  if (code === 0) return plain;
  if (code === 1) return { ...state, isBold: true };
  if (code === 2) return { ...state, isDim: true };
  if (code === 22) return { ...state, isBold: false, isDim: false };
  if (code === 39) return { ...state, fill: plain.fill };
  if (code === 49) return { ...state, ground: undefined };
  if (colours[code]) return { ...state, fill: colours[code] };
  if (colours[code - 10]) return { ...state, ground: colours[code - 10] };
  throw new Error(`No colour is known for the code ${code}`);
}

/** What changes the look of letters. */
const codes = new RegExp(`${String.fromCodePoint(27)}\\[([\\d;]*)m`);

/** The parts of a line that have one look. */
function partsOf(line) {
  let state = plain;
  return line.split(codes).flatMap((text, index) => {
    if (index % 2 === 0) return text === "" ? [] : [{ text, ...state }];
    state = text.split(";").reduce((before, code) => after(before, Number(code)), state);
    return [];
  });
}

const escape = (text) => text.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
const [lineHeight, width, letterWidth] = [20, 760, 7.8];
const height = lines.length * lineHeight + 20;
const rows = lines.flatMap((line, index) => {
  const y = 28 + index * lineHeight;
  const parts = line.startsWith("$ ") ? [{ ...plain, text: line, fill: "#9ecbff" }] : partsOf(line);
  let letters = 0;
  return parts.flatMap(({ text, fill, ground, isBold, isDim }) => {
    // Each part begins where its letters do, whatever the font.
    const [x, length] = [16 + letters * letterWidth, text.length * letterWidth].map(
      (each) => Math.round(each * 10) / 10,
    );
    letters += text.length;
    const box = `  <rect x="${x}" y="${y - 14}" width="${length}" height="18" fill="${ground}"/>`;
    const look = `${isBold ? ' font-weight="bold"' : ""}${isDim ? ' opacity="0.7"' : ""}`;
    const letter = `  <text x="${x}" y="${y}" textLength="${length}" fill="${fill}"${look} xml:space="preserve">${escape(text)}</text>`;
    return [...(ground === undefined ? [] : [box]), ...(text.trim() === "" ? [] : [letter])];
  });
});
writeFileSync(
  join(root, "docs/images/terminal.svg"),
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img" aria-label="x runs and tests a component" font-family="ui-monospace, Menlo, Consolas, monospace" font-size="13">
  <rect width="${width}" height="${height}" rx="8" fill="#161b22"/>
${rows.join("\n")}
</svg>
`,
);
