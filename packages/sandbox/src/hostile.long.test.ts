import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { sha256Hex } from "../../model/src/process/sha256.ts";
import type { Sandbox } from "./contract.ts";
import { hostilePrograms } from "./hostile.cases.ts";
import { fewEffects, openOwnSandbox, runBody, tryComponent } from "./sandbox.cases.ts";

const timeoutMs = 100;
const memoryBytes = 32 * 1024 * 1024;
/** All of them are of one source. */
const source = "dc_hostile";

describe("hostile components", () => {
  let sandbox: Sandbox;
  beforeAll(async () => {
    sandbox = openOwnSandbox(fewEffects);
  });
  afterAll(() => sandbox.close());

  it.each(hostilePrograms)(
    "S24 $what ends as it must, what it did before is kept, and the next call is clean",
    async ({ body, rest, ends, name }) => {
      const code = runBody(`this.$emit("before"); this.db.set("before", 1); ${body}`, rest);
      // Evaluated before: the short time is for what the program does.
      await sandbox.describe({ hash: sha256Hex(code), code }, { timeoutMs: 10_000, memoryBytes });
      const seen = await tryComponent(sandbox, code, {
        source,
        timeoutMs: ends === "sandbox_timeout" ? timeoutMs : 20_000,
        memoryBytes,
      });
      expect(seen.outcome.error?.code).toBe(ends);
      expect(seen.outcome.error?.name).toBe(name ?? seen.outcome.error?.name);
      expect(seen.outcome.status).toBe(
        { sandbox_timeout: "timeout", sandbox_out_of_memory: "out_of_memory", component_threw: "error", none: "ok" }[
          ends ?? "none"
        ],
      );
      expect(seen.emits[0]?.payload).toBe('"before"');
      expect(seen.db[0]).toEqual(["before", "1"]);
      expect(seen.outcome.memoryBytes).toBeLessThanOrEqual(memoryBytes);
      // The next call of the same source has a clean sandbox.
      const after = await tryComponent(sandbox, runBody(`this.$emit([1].map((x) => x + 1))`), { source, memoryBytes });
      expect([after.outcome.status, after.emits[0]?.payload]).toEqual(["ok", "[2]"]);
    },
  );

  it("lets neighbours run while components spin in their threads", async () => {
    const own = openOwnSandbox();
    let ended = 0;
    // They would spin for a minute: the neighbours do not wait for that.
    const hostile = [`for (;;) {}`, `"a".repeat(2e6).indexOf("a".repeat(1e6) + "b")`].map((body, index) =>
      tryComponent(own, runBody(body), { source: `dc_h${index}`, timeoutMs: 60_000 }).finally(() => (ended += 1)),
    );
    const neighbours = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        tryComponent(own, runBody(`await new Promise((d) => setTimeout(d, 20)); this.$emit(event.i)`), {
          source: `dc_n${index}`,
          event: { i: index },
        }),
      ),
    );
    expect(neighbours.map((seen) => Number(seen.emits[0]?.payload))).toEqual([...Array(20).keys()]);
    expect(ended).toBe(0);
    await own.close();
    expect((await Promise.all(hostile)).map((seen) => seen.outcome.error?.code)).toEqual(["closed", "closed"]);
  });
});
