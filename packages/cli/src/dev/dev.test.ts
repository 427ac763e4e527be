import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";

import { expect, test } from "vitest";

import { runHere, type RunningHere, startHere } from "../run-here.cases.ts";
import { makeFolder } from "../spawned.cases.ts";

const inbox = `import { label } from "./label.js";
export default { name: "Inbox", version: "1", props: { http: "$.interface.http", db: "$.service.db" },
  run({ method }) {
    const runs = (this.db.get("runs") ?? 0) + 1;
    this.db.set("runs", runs);
    this.$emit({ label, runs, method });
  },
};
`;
const label = (text: string): string => `export const label = "${text}";\n`;
const clock = `export default { name: "Clock", version: "1",
  props: { timer: { type: "$.interface.timer", default: { intervalSeconds: 3600 } }, word: { type: "string" } },
  run() { this.$emit(this.word); } };
`;

const start = (cwd: string, ...args: readonly string[]): RunningHere =>
  startHere(["dev", "--port", "0", "--json", ...args], { cwd });

interface Serving {
  readonly base_url: string;
  readonly api_key: string;
  readonly files: readonly {
    readonly source: string;
    readonly change: string;
    readonly endpoints: readonly string[];
  }[];
  readonly resting: readonly string[];
}

/** The first object of a kind that holds the text. */
async function told<T = object>(x: RunningHere, message: string, text = ""): Promise<T> {
  const escaped = text.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  const [line] = await x.printed(new RegExp(`^\\{"message":"${message}".*${escaped}.*\\}$`, "m"));
  return JSON.parse(line) as T;
}

async function stop(x: RunningHere): Promise<void> {
  x.hear("SIGTERM");
  expect([await x.exit, x.err()]).toEqual([0, ""]);
}

test("an edit of an import updates the source in place and runs it; what does not work keeps the version before", async () => {
  await using folder = await makeFolder({ "inbox.js": inbox, "label.js": label("one") });
  // At once, or x in this process could find the file empty.
  const save = (text: string): void => writeFileSync(join(folder.path, "label.js"), text);
  await using x = start(folder.path, "inbox.js", "--run");
  const serving = await told<Serving>(x, "serving");
  const [{ source, endpoints } = { source: "", endpoints: [] }] = serving.files;
  const [endpoint = ""] = endpoints;
  await told(x, "event", '{"label":"one","runs":1,"method":"POST"}');
  await told(x, "run", '"status":"ok","emitted":1');

  save(label("two"));
  expect(await told(x, "changed")).toMatchObject({ file: "inbox.js", source, files: ["label.js"], recovered: false });
  await told(x, "event", '{"label":"two","runs":2,"method":"POST"}');

  save('export const label = "three\n');
  const broken = await told<{ text: string }>(x, "broken");
  expect(broken).toMatchObject({ file: "inbox.js", kept: true, error: { code: "bundle_failed" } });
  expect(broken.text).toContain('1 | export const label = "three\n');
  expect(broken.text).toMatch(/label\.js:1:\d+: Unterminated string literal/);
  expect((await fetch(endpoint, { method: "PUT" })).status).toBe(200);
  await told(x, "event", '{"label":"two","runs":3,"method":"PUT"}');
  await told(x, "request", '"method":"PUT","path":"/","status":200');

  // As editors save: another file takes the place.
  writeFileSync(join(folder.path, "label.js~"), label("four"));
  renameSync(join(folder.path, "label.js~"), join(folder.path, "label.js"));
  await told(x, "changed", '"recovered":true');
  await told(x, "event", '{"label":"four","runs":4,"method":"POST"}');

  renameSync(join(folder.path, "inbox.js"), join(folder.path, "away.js"));
  expect(await told(x, "broken", "is gone")).toMatchObject({
    file: "inbox.js",
    text: expect.stringMatching(/^The file is gone\./) as string,
    kept: true,
  });
  renameSync(join(folder.path, "away.js"), join(folder.path, "inbox.js"));
  await told(x, "event", '{"label":"four","runs":5,"method":"POST"}');
  await stop(x);
});

test("id, db, endpoint and key survive a restart, of workflows too; sources of other files are inactive", async () => {
  const flow = `import { word } from "./word.js";
export default { name: "Flow", trigger: { type: "http" }, steps: [
  { type: "action", name: "print", run({ steps, $ }) { $.send.emit({ word, method: steps.trigger.event.method }); } },
] };
`;
  await using folder = await makeFolder({
    "inbox.js": inbox,
    "label.js": label("a"),
    "clock.js": clock,
    "flow.js": flow,
    "word.js": 'export const word = "one";\n',
  });
  await using first = start(folder.path, "inbox.js", "clock.js", "flow.js", "--props", "word=tick");
  const before = await told<Serving>(first, "serving");
  const [inboxBefore, clockBefore, flowBefore] = before.files;
  expect(before.files.map(({ change }) => change)).toEqual(["new", "new", "new"]);
  await fetch(inboxBefore?.endpoints[0] ?? "");
  await told(first, "event", '"runs":1');

  // A workflow is registered and reloaded as a source is.
  expect(flowBefore).toMatchObject({ source: expect.stringMatching(/^p_/) as string });
  const flowEndpoint = flowBefore?.endpoints[0] ?? "";
  await fetch(flowEndpoint, { method: "PUT" });
  await told(first, "event", '"word":"one","method":"PUT"');
  await told(first, "request", '"method":"PUT","path":"/","status":200');
  writeFileSync(join(folder.path, "word.js"), 'export const word = "two";\n');
  expect(await told(first, "changed")).toMatchObject({
    file: "flow.js",
    source: flowBefore?.source,
    files: ["word.js"],
  });
  await fetch(flowEndpoint, { method: "POST" });
  await told(first, "event", '"word":"two","method":"POST"');
  await stop(first);

  await using second = start(folder.path, "./inbox.js");
  const between = await told<Serving>(second, "serving");
  expect(between.api_key).toBe(before.api_key);
  expect(between.resting).toEqual(["clock.js"]);
  expect(between.files).toMatchObject([{ file: "./inbox.js", source: inboxBefore?.source, change: "unchanged" }]);
  const path = (url: string | undefined): string => new URL(url ?? "").pathname;
  expect(path(between.files[0]?.endpoints[0])).toBe(path(inboxBefore?.endpoints[0]));
  await fetch(between.files[0]?.endpoints[0] ?? "");
  await told(second, "event", '"runs":2');
  await stop(second);

  await using third = start(folder.path, "clock.js", "flow.js", "--run");
  const after = (await told<Serving>(third, "serving")).files;
  expect(after).toMatchObject([{ source: clockBefore?.source }, { source: flowBefore?.source, change: "unchanged" }]);
  expect(path(after[1]?.endpoints[0])).toBe(path(flowEndpoint));
  await told(third, "event", '"event":"tick"');
  await told(third, "run", '"source":"p_');
  await stop(third);
});

test("a file that does not load at the start is deployed as soon as it does", async () => {
  await using folder = await makeFolder({ "inbox.js": inbox });
  await using x = start(folder.path, "inbox.js");
  expect((await told<Serving>(x, "serving")).files).toEqual([{ file: "inbox.js", endpoints: [] }]);
  expect(await told(x, "broken")).toMatchObject({ kept: false, error: { code: "bundle_failed" } });
  writeFileSync(join(folder.path, "label.js"), label("now"));
  const { endpoints } = await told<{ endpoints: string[] }>(x, "changed", '"recovered":true');
  await fetch(endpoints[0] ?? "");
  await told(x, "event", '"label":"now"');
  await stop(x);
});

test("packages beside the file are watched: one that is edited in place, and one that is installed again", async () => {
  const manifest = (version: string): string => JSON.stringify({ name: "words", version });
  const words = (text: string): string => `exports.word = ${JSON.stringify(text)};\n`;
  await using folder = await makeFolder({
    "a.js": `import { word } from "words"; export default { name: "A", version: "1", run() { this.$emit({ word }); } };\n`,
    "node_modules/words/package.json": manifest("1.0.0"),
    "node_modules/words/index.js": words("one"),
  });
  const at = (name: string): string => join(folder.path, "node_modules", name);
  await using x = start(folder.path, "a.js", "--run");
  await told(x, "event", '{"word":"one"}');
  writeFileSync(at("words/index.js"), words("two"));
  expect(await told(x, "changed")).toMatchObject({ files: ["node_modules/words/index.js"] });
  await told(x, "event", '{"word":"two"}');

  mkdirSync(at(".words-new"));
  writeFileSync(at(".words-new/package.json"), manifest("2.0.0"));
  writeFileSync(at(".words-new/index.js"), words("three"));
  renameSync(at("words"), at(".words-old"));
  renameSync(at(".words-new"), at("words"));
  rmSync(at(".words-old"), { recursive: true });
  writeFileSync(at(".package-lock.json"), "{}");
  await told(x, "event", '{"word":"three"}');
  await stop(x);
});

test("S38 a change of the package.json beside a file, and one that is new, is read", async () => {
  await using folder = await makeFolder({
    "a.js": `import { word } from "words"; export default { name: "A", version: "1", run() { this.$emit({ word }); } };\n`,
    "node_modules/words/package.json": JSON.stringify({ name: "words", version: "1.0.0" }),
    "node_modules/words/index.js": `exports.word = "one";`,
  });
  const manifest = join(folder.path, "package.json");
  await using x = start(folder.path, "a.js", "--run");
  await told(x, "event", '{"word":"one"}');
  for (const range of ["^1.0.0", "1.0.0"]) {
    writeFileSync(`${manifest}~`, JSON.stringify({ dependencies: { words: range } }));
    renameSync(`${manifest}~`, manifest);
    expect(await told(x, "changed")).toMatchObject({ files: ["package.json"] });
    await told(x, "event", '{"word":"one"}');
  }
  await stop(x);
});

test("accounts of a file are the $auth of the components that use them, are stored encrypted, and change with the file", async () => {
  const app = (slug: string): string =>
    `{ type: "app", app: "${slug}", methods: { token() { return this.$auth.token; } } }`;
  const uses = (name: string): string => `export default { name: "${name}", version: "1",
  props: { http: "$.interface.http", acme: ${app("acme")}, other: ${app("acme")}, none: { ...${app("none")}, optional: true } },
  run() { this.$emit([this.acme.token().length, this.other.token().length, this.none.$auth]); } };`;
  const accounts = (token: string): string => JSON.stringify({ acme: { token }, other: { token: "second-secret" } });
  await using folder = await makeFolder({
    "a.js": uses("A"),
    "b.js": uses("B"),
    "accounts.json": accounts("first-secret"),
    "stray.json": '{"acme": {}, "stray": {}}',
  });
  const given = ["--accounts", "accounts.json"];
  await using first = start(folder.path, "a.js", "b.js", "--run", ...given);
  const { files } = await told<Serving>(first, "serving");
  expect(files).toMatchObject([{ change: "new" }, { change: "new" }]);
  for (const name of ["a", "b"]) {
    expect(await told(first, "event", `"name":"${name}"`)).toMatchObject({ event: [12, 13, {}] });
  }
  await stop(first);
  for (const name of readdirSync(join(folder.path, ".x/dev"))) {
    const stored = readFileSync(join(folder.path, ".x/dev", name), "latin1");
    expect([name, stored.includes("-secret")]).toEqual([name, false]);
  }

  // Props are kept, and so are accounts.
  await using second = start(folder.path, "a.js", "--run");
  expect((await told<Serving>(second, "serving")).files).toEqual([
    expect.objectContaining({ source: files[0]?.source, change: "unchanged" }),
  ]);
  await told(second, "event", '"event":[12,13,{}]');
  await stop(second);

  writeFileSync(join(folder.path, "accounts.json"), accounts("new-secret"));
  await using third = start(folder.path, "a.js", "--run", ...given);
  const { base_url, api_key } = await told<Serving>(third, "serving");
  await told(third, "event", '"event":[10,13,{}]');
  const answer = await fetch(`${base_url}/users/me/accounts`, { headers: { authorization: `Bearer ${api_key}` } });
  expect(await answer.json()).toMatchObject({ page_info: { total_count: 2 } });
  writeFileSync(join(folder.path, "a.js"), uses("A").replace("acme:", `extra: ${app("extra")}, acme:`));
  expect(await told(third, "changed")).toMatchObject({
    differences: ["prop extra is new"],
    without_account: ["extra"],
  });
  await stop(third);

  // A file may have the accounts of a whole folder.
  await using fourth = start(folder.path, "a.js", "--accounts", "stray.json");
  await told(fourth, "note", '--accounts has \\"stray\\", but the components here have the apps extra, acme, none');
  await stop(fourth);
});

test("what is wrong with the command line ends it, exit 2", async () => {
  await using folder = await makeFolder({ "clock.js": clock });
  expect(await runHere(["dev"])).toMatchObject({ code: 2, err: "error: Which FILE?\nSee x dev --help.\n" });
  expect(await runHere(["dev", "no.js"])).toMatchObject({
    code: 2,
    err: expect.stringContaining("There is no file no.js") as string,
  });
  const args = ["dev", "--port", "0", "clock.js", "--props", "word=a", "--props", "wrod=b"];
  expect(await runHere(args, { cwd: folder.path })).toMatchObject({
    code: 2,
    err: expect.stringContaining('No component here has a prop "wrod"; there are timer, word') as string,
  });
  // No hook has run before.
  const hooked = `export default { name: "hooked", version: "1", hooks: { activate() { throw new Error("at the service"); } }, run() {} };`;
  await using other = await makeFolder({ "hooked.js": hooked });
  const { code, err } = await runHere(["dev", "--port", "0", "hooked.js", "--props", "wrod=b"], { cwd: other.path });
  expect([code, err]).toEqual([2, expect.not.stringContaining("at the service")]);
});

test("S56 a new default schedule that the source does not take is printed", async () => {
  await using folder = await makeFolder({ "clock.js": clock });
  await using x = start(folder.path, "clock.js", "--props", "word=tick");
  await told(x, "serving");
  writeFileSync(join(folder.path, "clock.js"), clock.replace("3600", "60"));
  const { level } = await told<{ level: string }>(x, "log", 'Prop \\"timer\\" keeps its stored value');
  expect(level).toBe("warn");
  await stop(x);
});
