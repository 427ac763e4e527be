import { expect, test } from "vitest";

import { componentText } from "./source.cases.ts";
import { type SourceUnderTest, source } from "./vitest.ts";

const schema = (total: string): string =>
  `emits: { type: "object", properties: { id: { type: "string" }, total: { type: "${total}" } }, required: ["id"] },`;
const run = "run({ list }) { for (const each of list) this.$emit(each); }";
const warningsOf = (trial: SourceUnderTest): readonly string[] =>
  trial.logs.flatMap(({ level, message }) => (level === "warn" ? [message] : []));
const misfit = "$emit: an event does not fit the emits of the component:";

test("an emit that does not fit the declared schema is emitted, with a warning for each thing that does not fit", async () => {
  const trial = source({ code: componentText(`${schema("number")} ${run}`) });
  await trial.deploy();
  await trial.run({
    list: [
      { id: "a", total: 1 },
      { id: "b", more: true },
    ],
  });
  expect(warningsOf(trial)).toEqual([]);
  const { emits, logs } = await trial.run({ list: [{ id: "c", total: "1" }, { id: "d", total: [] }, {}] });
  expect(emits).toHaveLength(3);
  expect(logs.map(({ message }) => message)).toEqual([
    `${misfit} /total must be number`,
    `${misfit} it must have required property 'id'`,
  ]);
  expect(trial.story).toContain(`console.warn ${misfit} /total must be number`);
});

test("events of hooks are checked, and after an update by the schema of the new version", async () => {
  const hooks = "hooks: { deploy() { this.$emit({}); } },";
  const trial = source({ code: componentText(`${schema("number")} ${hooks} ${run}`) });
  await trial.deploy();
  expect(warningsOf(trial)).toEqual([`${misfit} it must have required property 'id'`]);
  trial.clear();
  await trial.update({ component: { code: componentText(`${schema("string")} ${run}`) } });
  await trial.run({ list: [{ id: "a", total: "1" }] });
  expect(warningsOf(trial)).toEqual([]);
});

test("an example is no promise: events unlike it get no warning", async () => {
  const trial = source({ code: componentText(`sampleEmit: { id: 1 }, emits: {}, ${run}`) });
  await trial.deploy();
  await trial.run({ list: [{ other: true }] });
  expect(warningsOf(trial)).toEqual([]);
});
