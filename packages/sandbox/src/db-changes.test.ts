import { afterAll, beforeAll, describe, expect, it } from "vitest";

import { defaults } from "../../model/src/limits.ts";
import type { DbChange, Sandbox } from "./contract.ts";
import { createInlineSandbox } from "./engines/inline-sandbox.ts";
import { createNodeSandbox } from "./engines/node-sandbox.ts";
import { createPool } from "./pool/pool.ts";
import { runBody, tryComponent } from "./sandbox.cases.ts";

type Tell = (changes: readonly DbChange[]) => void;

const engines = {
  threads: () => createPool({ workers: 1, limits: defaults }),
  inline: () => createInlineSandbox({ limits: defaults }),
  node: () => createNodeSandbox({ limits: defaults }),
} as const;

const state = `Object.fromEntries(this.db.keys().map((key) => [key, this.db.get(key)]))`;
const again = "await new Promise((resolve) => setTimeout(resolve, 1))";
const db = { old: 1, gone: 2 };
const changes: readonly DbChange[] = [["new", '{"a":[1]}'], ["gone"], ["own", '"other"'], ["old", "3"]];

describe.each(["threads", "inline", "node"] as const)("what others write to the db during a call: %s", (engine) => {
  let sandbox: Sandbox;
  beforeAll(() => {
    sandbox = engines[engine]();
  });
  afterAll(() => sandbox.close());

  const stateOf = async (
    body: string,
    follow: (tell: Tell) => void,
    fetch?: (tell: Tell) => void,
  ): Promise<unknown> => {
    let told: Tell = () => undefined;
    const { emits, outcome } = await tryComponent(sandbox, runBody(`${body}; this.$emit(${state})`), {
      db,
      followDb(tell) {
        told = tell;
        follow(tell);
      },
      fetch() {
        fetch?.(told);
        return Promise.reject(new Error("no network"));
      },
    });
    expect(outcome.error).toBeUndefined();
    return JSON.parse(emits.at(-1)?.payload ?? "null");
  };
  const merged = { new: { a: [1] }, own: "mine", old: 3 };

  it("S58 is there after the answer of a request", async () => {
    const body = `this.db.set("own", "mine"); await fetch("http://h/").catch(() => undefined)`;
    const seen = await stateOf(
      body,
      () => undefined,
      (tell) => tell(changes),
    );
    expect(seen).toEqual(merged);
  });

  it("S58 is there after a wait, when it came before the call began", async () => {
    const body = `this.db.set("own", "mine"); while (!this.db.has("new")) ${again}`;
    expect(await stateOf(body, (tell) => tell(changes))).toEqual(merged);
  });

  it("S58 comes in order, without what the call has deleted", async () => {
    const body = `this.db.delete("gone"); while (this.db.get("n") !== 3) ${again}`;
    const tellAll = (tell: Tell): void => {
      for (const n of [1, 2, 3])
        tell([
          ["gone", String(n)],
          ["n", String(n)],
        ]);
    };
    expect(await stateOf(body, tellAll)).toEqual({ old: 1, n: 3 });
  });

  it("S58 is not there for the next call, which has its own db", async () => {
    await stateOf("await null", (tell) => tell(changes));
    expect(await stateOf("await null", () => undefined)).toEqual(db);
  });

  it("after the end of a call nothing happens", async () => {
    let late: Tell = () => undefined;
    expect(await stateOf("await null", (tell) => (late = tell))).toEqual(db);
    late(changes);
    expect(await stateOf(again, () => undefined)).toEqual(db);
  });
});

it("S58 a call that starts over in another thread gets all of it again", async () => {
  const sandbox = createPool({ workers: 1, limits: defaults });
  const moved = Promise.withResolvers<void>();
  const begun = Promise.withResolvers<void>();
  const calling = tryComponent(
    sandbox,
    runBody(`console.log("begun"); while (!this.db.has("end")) ${again}; this.$emit(${state})`),
    {
      logged: begun.resolve,
      restarted: moved.resolve,
      followDb(tell) {
        tell([["first", "1"]]);
        void moved.promise.then(() => tell([["end", "2"]]));
      },
    },
  );
  await begun.promise;
  const leaving = new AbortController();
  const looping = Array.from({ length: 6 }, (_, index) =>
    tryComponent(sandbox, `${index}; for (;;);`, { signal: leaving.signal }),
  );
  await moved.promise;
  leaving.abort();
  await Promise.all(looping);
  expect((await calling).emits.map(({ payload }) => JSON.parse(payload) as unknown)).toEqual([{ first: 1, end: 2 }]);
  await sandbox.close();
});
