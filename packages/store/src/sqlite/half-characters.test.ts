import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { expect, onTestFinished, test } from "vitest";

import { componentText, openTrial, type Trial } from "../../../runtime/src/runtime.cases.ts";

// Halves of surrogate pairs: texts of JavaScript that UTF-8, and so the file, cannot hold.
const [one, two] = [String.raw`"a\ud800"`, String.raw`"a\ud801"`];

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), "x-half-"));
  onTestFinished(() => rmSync(path, { recursive: true }));
  return path;
}

/** Does something before and after a restart on the same file. */
async function twice<T>(data: string, act: (trial: Trial) => Promise<T>): Promise<T[]> {
  const done: T[] = [];
  for (let round = 0; round < 2; round++) {
    const trial = await openTrial({ data });
    try {
      done.push(await act(trial));
    } finally {
      await trial.runtime.close();
    }
  }
  return done;
}

test("event ids that differ in a lone surrogate are two ids, also after a restart", async () => {
  const long = `"x".repeat(80)`;
  const code = componentText(
    `dedupe: "unique", run() { for (const id of [${one}, ${two}, ${long} + ${one}, ${long} + ${two}]) this.$emit(id, { id, summary: id }) },`,
  );
  let id = "";
  const [before, after] = await twice(folder(), async (trial) => {
    id ||= (await trial.deploy(code)).source.id;
    const { emitted, deduped } = await trial.runtime.invoke(id);
    const shown = (await trial.stored(id)).map(({ dedupeId, summary, payload }) => ({ dedupeId, summary, payload }));
    return { emitted: emitted.length, deduped, shown };
  });
  expect(before).toMatchObject({ emitted: 4, deduped: 0 });
  expect(before?.shown.map(({ dedupeId }) => dedupeId?.slice(-2))).toEqual([
    "a\ud800",
    "a\ud801",
    "a\ud800",
    "a\ud801",
  ]);
  expect(after).toEqual({ emitted: 0, deduped: 4, shown: before?.shown });
});

test("a db key with a lone surrogate is refused, and values keep theirs", async () => {
  const code = componentText(
    `props: { db: "$.service.db" }, run() {
      const told = [];
      for (const act of [() => this.db.set(${one}, 1), () => this.db.get(${two}), () => this.db.has(${two}), () => this.db.delete(${two})])
        try { act(); told.push("done") } catch (error) { told.push(error.name + ": " + error.message) }
      told.push(this.db.get("kept") ?? "none");
      this.db.set("kept", ${one});
      this.db.set("\u{1F600}", 1);
      this.$emit(told);
    },`,
  );
  let id = "";
  const data = folder();
  await twice(data, async (trial) => {
    id ||= (await trial.deploy(code)).source.id;
    expect((await trial.runtime.invoke(id)).status).toBe("ok");
    await expect((await trial.runtime.db(id)).set("b\udc00", 1)).rejects.toMatchObject({ code: "invalid_parameter" });
  });
  const trial = await openTrial({ data });
  const [first, second] = await trial.payloads(id);
  const refusal = (key: string): string =>
    `TypeError: A db key must be whole characters, got ${key}, which has half of a surrogate pair`;
  const refusals = [one, two, two, two].map(refusal);
  expect(first).toEqual([...refusals, "none"]);
  expect(second).toEqual([...refusals, "a\ud800"]);
  expect((await trial.runtime.dbEntries(id)).map(({ key }) => key)).toEqual(["kept", "\u{1F600}"]);
  await trial.runtime.close();
});

test("a channel, a key or a name with a lone surrogate is refused", async () => {
  const trial = await openTrial();
  const code = componentText(`run() { this.$emit(1, { name: ${one} }) },`);
  const { source } = await trial.deploy(code);
  const { error } = await trial.runtime.invoke(source.id);
  expect(error).toMatchObject({ name: "EmitNameError", message: `$emit: name ${one} has half of a surrogate pair` });
  const keyed = componentText(`key: ${one}, run() {},`);
  await expect(trial.deploy(keyed)).rejects.toMatchObject({
    code: "invalid_component",
    details: { errors: [{ path: "/key", message: `key ${one} has half of a surrogate pair` }] },
  });
  const given = { emitterId: source.id, listenerId: source.id, eventName: "a\ud800" };
  await expect(trial.runtime.subscribe(given)).rejects.toMatchObject({ code: "invalid_parameter" });
  await trial.runtime.close();
});
