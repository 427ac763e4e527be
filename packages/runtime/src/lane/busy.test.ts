import { expect, it } from "vitest";

import { testEngineWithin } from "../engine.cases.ts";
import { createRuntime } from "../runtime.ts";

it("refuses a change with busy when the source's lane does not come free in time, and the run goes on", async () => {
  await using runtime = await createRuntime({ engine: await testEngineWithin({ busyWaitMs: 30 }) });
  const { source } = await runtime.deploy({
    code: `export default { name: "Slow", version: "1", async run() { await new Promise((done) => setTimeout(done, 300)); this.$emit("done"); } };`,
  });
  await runtime.invoke(source.id, { wait: false });
  await expect(runtime.update(source.id, { name: "other" })).rejects.toMatchObject({ code: "busy" });
  await expect(runtime.delete(source.id)).rejects.toMatchObject({ code: "busy" });
  await runtime.idle();
  expect((await runtime.storedEvents(source.id, "emits", { limit: 10 })).totalCount).toBe(1);
  expect((await runtime.source(source.id)).source.name).toBe("slow");
});
