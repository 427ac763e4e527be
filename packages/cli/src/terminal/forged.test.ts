import { expect, onTestFinished, test, vi } from "vitest";

import { runHere } from "../run-here.cases.ts";
import { makeFolder } from "../spawned.cases.ts";
import { createLogger } from "./logger.ts";

function written(log: () => void): string {
  const write = vi.spyOn(process.stderr, "write").mockReturnValue(true);
  onTestFinished(() => write.mockRestore());
  log();
  const text = write.mock.calls.map(([chunk]) => String(chunk)).join("");
  write.mockRestore();
  return text;
}

const forged = "a\r\n00:00:00 error: forged\u2028\u202eb\u001b[2K\u009b";

test("one call of the log is one line, for any component name and text", () => {
  const text = written(() => createLogger(false).warn(`a run of ${forged}`, { error: forged, requested: [forged] }));
  expect(text.split(/[\n\r\u0085\u2028\u2029]/)).toEqual([expect.stringContaining("00:00:00 error: forged"), ""]);
  expect(text).toContain("error: a\\x0d\\n00:00:00 error: forged\\u2028\\u202eb\\x1b[2K\\x9b");
});

test("a line of the log in JSON acts on no screen, and says the same", () => {
  const text = written(() => createLogger(true).warn(forged, { error: forged }));
  expect(text).toMatch(/^[ -~]+\n$/);
  expect(JSON.parse(text)).toMatchObject({ message: forged, error: forged, level: "warn" });
});

test("what a component logs, emits, stores and throws forges no line of a run", async () => {
  const text = JSON.stringify("a\nerror[forged]: x\nrun  ok  \u202e\u2028\u001b[2K");
  const code = `export default { name: "A", version: "1", props: { db: "$.service.db" }, run() {
    console.log(${text}); this.$emit({ a: ${text} }, { summary: ${text} }); this.db.set(${text}, ${text}); throw new Error(${text}) } };`;
  await using folder = await makeFolder({ "a.js": code });
  const { out } = await runHere(["run", "a.js"], { cwd: folder.path });
  // oxlint-disable-next-line no-control-regex -- finding control characters is the point
  expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u202e\u2028]/);
  expect(out.split("\n").filter((line) => /^(?:error|run)/.test(line))).toEqual([
    expect.stringMatching(/^run {2}error {2}1 emitted/),
  ]);
  expect(out).toContain("\\u202e\\u2028\\x1b[2K");
});

test("a hook that throws cannot forge a line on standard error", async () => {
  const code = `export default { name: "A", version: "1", hooks: { deploy() { throw new Error("a\\nerror[forged]: x\\u202e") } }, run() {} };`;
  await using folder = await makeFolder({ "a.js": code });
  const { err, code: exit } = await runHere(["run", "a.js", "--deploy"], { cwd: folder.path });
  expect(exit).toBe(1);
  expect(err.split("\n").filter((line) => line.startsWith("error["))).toHaveLength(1);
  expect(err).toContain("\\u202e");
});
