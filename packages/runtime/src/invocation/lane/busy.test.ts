import { expect, it } from "vitest";

import { createGate, gatedProp, gatedValue, openTrial, runText, settleTurns } from "../../runtime.cases.ts";

it("refuses a change with busy when the lane of the source stays occupied, and the run continues", async () => {
  const gate = createGate();
  const trial = await openTrial({ accounts: gate.accounts, limits: { busyWaitMs: 30 } });
  await using runtime = trial.runtime;
  const { source } = await trial.deploy(runText(`this.$emit("done")`, `props: { ${gatedProp} },`), gatedValue);
  gate.close();
  await runtime.invoke(source.id, { wait: false });
  await settleTurns();
  await expect(runtime.update(source.id, { name: "other" })).rejects.toMatchObject({ code: "busy" });
  await expect(runtime.delete(source.id)).rejects.toMatchObject({ code: "busy" });
  gate.open();
  await runtime.idle();
  expect(await trial.payloads(source.id)).toEqual(["done"]);
  expect((await runtime.source(source.id)).source.name).toBe("trial");
});
