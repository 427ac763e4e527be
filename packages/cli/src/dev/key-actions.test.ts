import { createRuntime, manualClock } from "@x/runtime";
import { expect, test } from "vitest";

import { testEngine } from "../../../runtime/src/engine.cases.ts";
import { sourceEmitter } from "./emitter.ts";
import { createKeyActions } from "./key-actions.ts";
import type { DevMessage } from "./message.ts";

test("a note is printed for a run that does not end in 5 s, and none for one that does", async () => {
  await using runtime = await createRuntime({ engine: await testEngine() });
  const view = await runtime.deploy({ code: `export default { name: "Slow", version: "1", run() {} };` });
  const clock = manualClock(0);
  const printed: DevMessage[] = [];
  const { promise: released, resolve: release } = Promise.withResolvers<void>();
  const files = [{ emitter: sourceEmitter(view) }];
  const slow = { ...runtime, invoke: async () => (await released, runtime.invoke(view.source.id)) };
  const replay = () => Promise.resolve(undefined);
  const actions = createKeyActions({
    runtime: slow,
    files,
    recording: { replay },
    event: undefined,
    clock,
    print: (message) => printed.push(message),
  });
  const running = actions.run();
  clock.jump(5_000);
  expect(printed).toEqual([{ message: "note", text: expect.stringMatching(/^slow is still running: /) as string }]);
  release();
  await running;
  clock.jump(5_000);
  expect(printed.map(({ message }) => message)).toEqual(["note", "run"]);

  await actions.replay();
  expect(printed.at(-1)).toEqual({ message: "note", text: expect.stringContaining("nothing to replay") as string });
});
