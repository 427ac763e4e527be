import { afterEach, expect, test } from "vitest";

import { loadEngineCode } from "./engine-files.ts";
import { createMachineLoader, initialPages } from "./quickjs-machine.ts";
import { guestOp, hostOp } from "../ops.ts";
import { bundleText } from "../thread/bundle-text.ts";

const { TZ } = process.env;
afterEach(() => {
  if (TZ === undefined) delete process.env["TZ"];
  else process.env["TZ"] = TZ;
});

test("a realm has UTC on a host in another time zone, in summer and winter", async () => {
  process.env["TZ"] = "America/New_York";
  const summer = Date.UTC(2024, 6, 4, 12, 34, 56);
  expect(new Date(summer).getHours()).toBe(8);

  const machine = await (await createMachineLoader(await loadEngineCode())).create(initialPages);
  machine.boot();
  const logged: unknown[] = [];
  machine.attach({
    shouldInterrupt: () => false,
    remainingMs: () => 1_000,
    dispatch: (op, text) => {
      if (op === hostOp.log) logged.push(text);
      return undefined;
    },
  });
  const instants = [summer, Date.UTC(2023, 11, 31, 23, 59, 59), Date.UTC(1969, 0, 1), -1];
  const read = `[date.getTimezoneOffset(), date.getFullYear(), date.getMonth(), date.getDate(), date.getDay(), date.getHours(), date.getMinutes(), date.getSeconds()]`;
  machine.enter(guestOp.evaluate, "[1,2]", {
    code: bundleText(
      `for (const date of ${JSON.stringify(instants)}.map((ms) => new Date(ms))) console.log(${read}.join())`,
    ),
  });
  const expected = instants
    .map((ms) => new Date(ms))
    .map((date) =>
      [
        0,
        date.getUTCFullYear(),
        date.getUTCMonth(),
        date.getUTCDate(),
        date.getUTCDay(),
        date.getUTCHours(),
        date.getUTCMinutes(),
        date.getUTCSeconds(),
      ].join(","),
    );
  expect(logged.map((text) => (JSON.parse(String(text).split("\n")[0] ?? "") as { msg: string }).msg)).toEqual(
    expected,
  );
});
