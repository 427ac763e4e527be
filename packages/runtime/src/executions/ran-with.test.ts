import { afterAll, beforeAll, describe, expect, it } from "vitest";

import type { Json } from "../../../model/src/model.ts";
import { componentText, openTrial, type Trial } from "../runtime.cases.ts";

let trial: Trial;
beforeAll(async () => {
  trial = await openTrial();
});
afterAll(() => trial.runtime.close());

/** Runs the source, and returns the id of the execution. */
async function run(id: string, event: Json = { n: 1 }): Promise<string> {
  const { executionId } = await trial.runtime.invoke(id, { event });
  return executionId;
}

const account = async (key: string): Promise<string> =>
  (await trial.runtime.createAccount({ app: "acme", auth: { key } })).id;

const board = (version: string, members = ""): string =>
  `export default { name: "Board", version: "${version}", ${members}
    props: { board: { type: "string" }, limit: { type: "integer", optional: true },
      token: { type: "string", secret: true }, acme: { type: "app", app: "acme", optional: true },
      timer: { type: "$.interface.timer", default: { intervalSeconds: 60 } } },
    run() { this.$emit({ board: this.board, limit: this.limit }); } };`;

const notesOf = (text: string): string[] => text.split("\n").filter((line) => line.startsWith("// "));

describe("S61 an execution", () => {
  it("stores the props, accounts and component that it ran with, without secrets", async () => {
    const acme = { authProvisionId: await account("key-of-acme") };
    const { source, component } = await trial.deploy(board("1.0.0"), { board: "b1", token: "sesame-1234", acme });
    const { detail } = await trial.runtime.execution(await run(source.id));
    expect(detail.ranWith).toEqual({
      componentId: component.id,
      componentHash: component.contentHash,
      configuredProps: {
        board: "b1",
        token: { $secret: "token" },
        acme,
        timer: { cron: null, interval_seconds: 60 },
      },
      settings: {},
    });
    expect(JSON.stringify(detail)).not.toContain("sesame");
  });

  it("hides short secrets, and secrets inside other props", async () => {
    const { source } = await trial.deploy(board("1.0.1"), { board: "of sesame-1234", token: "sesame-1234" });
    const ofLong = await trial.runtime.execution(await run(source.id));
    expect(ofLong.detail.ranWith?.configuredProps).toMatchObject({ board: "of ***", token: { $secret: "token" } });
    await trial.runtime.update(source.id, { props: { token: "abc" } });
    const ofShort = await trial.runtime.execution(await run(source.id));
    expect(ofShort.detail.ranWith?.configuredProps).toMatchObject({
      board: "of sesame-1234",
      token: { $secret: "token" },
    });
  });

  it("does not store props beyond the bounds of a record", async () => {
    const { source } = await trial.deploy(board("1.0.2"), { board: "b".repeat(20_000), token: "sesame-1234" });
    const id = await run(source.id);
    const { detail } = await trial.runtime.execution(id);
    expect(detail.ranWith?.configuredProps).toBeNull();
    expect(notesOf(await trial.runtime.executionTest(id)).join("\n")).toContain(
      "The record lacks the props and accounts of the run",
    );
  });
});

describe("S61 a test made from a run", () => {
  it("has the props, accounts, settings and dedupe of the run, and says what is another one now", async () => {
    const [first, second] = [await account("key-one"), await account("key-two")];
    const { source } = await trial.deploy(
      board("1.0.3", `dedupe: "unique",`),
      { board: "b1", token: "sesame-1234", acme: { authProvisionId: first } },
      { settings: { runTimeoutMs: 7_000 } },
    );
    const id = await run(source.id);
    const before = await trial.runtime.executionTest(id);
    expect(notesOf(before)).toHaveLength(2);
    await trial.runtime.update(source.id, {
      code: board("2.0.0", `dedupe: "greatest",`),
      props: { board: "b2", limit: 5, token: "open-1234567", acme: { authProvisionId: second } },
      settings: { runTimeoutMs: 9_000 },
    });
    const after = await trial.runtime.executionTest(id);
    const withoutNotes = (text: string): string[] => text.split("\n").filter((line) => !line.startsWith("// "));
    expect(withoutNotes(after)).toEqual(withoutNotes(before));
    expect(after).toContain('board: "b1"');
    expect(after).toContain("runTimeoutMs: 7000");
    expect(notesOf(after).slice(2)).toEqual([
      expect.stringMatching(
        /^\/\/ The run used version 1\.0\.3 \(\w{12}\) of the component, the source now has 2\.0\.0 \(\w{12}\): the test may fail/,
      ),
      '// The props are those of the run; the source now has other values of "board", "limit".',
      '// The accounts are those of the run; the source now has other ones for "acme".',
      "// The settings are those of the run; the source now has others.",
    ]);
  });

  it("has the props that additionalProps had added", async () => {
    const code = componentText(
      `props: { kind: { type: "string", reloadProps: true } },
      additionalProps() { return { [this.kind]: { type: "string", secret: this.kind === "hidden" } }; },
      run() { this.$emit({ kind: this.kind }); },`,
    );
    const { source } = await trial.deploy(code, { kind: "hidden", hidden: "sesame-5678" });
    const id = await run(source.id);
    await trial.runtime.update(source.id, { props: { kind: "shown", shown: "text" } });
    const text = await trial.runtime.executionTest(id);
    expect(text).toContain('kind: "hidden"');
    expect(text).toContain('hidden: "***"');
    expect(text).not.toContain("sesame");
  });

  it("says which account is gone", async () => {
    const id = await account("key-three");
    const { source } = await trial.deploy(board("1.0.4"), {
      board: "b1",
      token: "sesame-1234",
      acme: { authProvisionId: id },
    });
    const ran = await run(source.id);
    await trial.runtime.update(source.id, { props: { acme: null } });
    await trial.runtime.deleteAccount(id);
    const text = await trial.runtime.executionTest(ran);
    expect(text).toContain(`// The account "${id}" of the run is not stored here: the fields of acme are unknown.`);
  });
});
