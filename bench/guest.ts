/** `npm run bench:guest`: what a call costs inside the engine, part by part, and the same work in V8. */
import { parseArgs } from "node:util";
import { runInNewContext } from "node:vm";

import { bootBaseImage } from "../packages/sandbox/src/machine/boot-base-image.ts";
import { openEngine } from "../packages/sandbox/src/machine/engine.ts";
import { captureImage, restoreImage } from "../packages/sandbox/src/machine/image.ts";
import { createMachineLoader } from "../packages/sandbox/src/machine/quickjs-machine.ts";
import { guestOp } from "../packages/sandbox/src/ops.ts";
import { callHead, callText } from "../packages/sandbox/src/pool/call-text.ts";
import { component, request } from "./at-once.ts";
import { machine, median } from "./machine.ts";
import { updatePage } from "./page.ts";

const { values } = parseArgs({
  options: {
    rounds: { type: "string", default: "60" },
    /** Replaces the tables in docs/performance.md. */
    update: { type: "boolean", default: false },
  },
});
const rounds = Number(values.rounds);
const callsInRound = 100;

const engine = await openEngine();
const loader = await createMachineLoader(engine.code);
const base = engine.base ?? (await bootBaseImage(loader));

const event = JSON.stringify({
  method: "POST",
  path: "/",
  body: JSON.parse(new TextDecoder().decode(request.body)) as object,
});
const noProps = { props: {}, http: {}, timers: {}, db: [], auth: {} };
const allProps = {
  ...noProps,
  http: { http: { endpoint: "http://127.0.0.1/", customResponse: false } },
  db: ["db"],
};

const textOf = (self: typeof allProps | typeof noProps, given: string): string =>
  callText(callHead({ entry: "run", self, db: new Map([["n", "1"]]), dedupe: undefined, emit: true }), given).text;
const moduleOf = (code: string): string => `(function(module){${code.replace("export default", "module.exports =")}})`;
const props = `props: { db: "$.service.db", http: "$.interface.http" },`;
const withRun = (body: string, more = props): string =>
  `export default { name: "Bench", version: "1", ${more} run(event) { ${body} } }`;

/** Something that is measured in rounds. */
interface Timed {
  readonly name: string;
  /** Does it so often. */
  run(count: number): void;
  /** Microseconds for each time, of each round. */
  readonly times: number[];
}

/** Enters a machine in which a component was evaluated. */
async function openMachine(code: string) {
  const opened = await loader.create(256);
  restoreImage(opened, base, base);
  opened.attach({ dispatch: () => undefined, shouldInterrupt: () => false, remainingMs: () => 60_000 });
  opened.enter(guestOp.evaluate, "[1,2]", { code: moduleOf(code) });
  const image = captureImage(opened, base);
  return {
    restore: () => restoreImage(opened, image, base),
    enter(op: number, text: string): void {
      opened.enter(op, text);
      while (opened.hasJobs()) opened.runJobs(64);
    },
  };
}

/** A call in a fresh realm, up to some part. */
async function callForm(name: string, code: string, op?: number, text = "{}"): Promise<Timed> {
  const { restore, enter } = await openMachine(code);
  return {
    name,
    times: [],
    run(count) {
      for (let call = 0; call < count; call += 1) {
        restore();
        if (op !== undefined) enter(op, text);
      }
    },
  };
}

async function measure(forms: readonly Timed[], warmUp: number): Promise<number[]> {
  for (const { run } of forms) run(warmUp);
  // V8 compiles the engine's code in the background.
  await new Promise((resolve) => setTimeout(resolve, 500));
  for (let round = 0; round < rounds; round += 1) {
    for (const { run, times } of forms) {
      const start = performance.now();
      run(callsInRound);
      times.push(((performance.now() - start) * 1_000) / callsInRound);
    }
  }
  return forms.map(({ times }) => median(times));
}

const forms: readonly Timed[] = await Promise.all([
  callForm("a fresh copy of the image", withRun("")),
  callForm("entering the engine and leaving it", withRun(""), guestOp.rejections),
  callForm("a call that does nothing", withRun("", ""), guestOp.call, textOf(noProps, "null")),
  callForm(`its event of ${event.length} bytes`, withRun("", ""), guestOp.call, textOf(noProps, event)),
  callForm("`this` with an HTTP interface and a db", withRun(""), guestOp.call, textOf(allProps, event)),
  callForm(
    "one read and one write of the db",
    withRun(`this.db.set("n", (this.db.get("n") ?? 0) + 1)`),
    guestOp.call,
    textOf(allProps, event),
  ),
  callForm("one event of 230 bytes with an id and a summary", component, guestOp.call, textOf(allProps, event)),
]);
const measured = await measure(forms, 2_000);
const us = (value: number): string => `${value.toFixed(1)} us`;
const parts = forms.map(
  ({ name }, index) => `| ${name} | ${us((measured[index] ?? 0) - (measured[index - 1] ?? 0))} |`,
);

/** Loops over one operation; in the engine and in V8 it is the same text. */
const operations: readonly (readonly [name: string, code: string])[] = [
  ["`JSON.parse` of the event", "sink = JSON.parse(text)"],
  ["`JSON.stringify` of it", "sink = JSON.stringify(value)"],
  ["a promise and its reaction", "sink = Promise.resolve(sink).then(nothing)"],
  ["a new object with five methods", "sink = { a() {}, b() {}, c() {}, d() {}, e() {} }"],
];
const loops = 200;
const loopOf = (code: string): string =>
  `const text = ${JSON.stringify(event)}, value = JSON.parse(text), nothing = () => {}; let sink; for (let i = 0; i < ${loops}; i += 1) { ${code} }`;

async function operationForms([name, code]: readonly [string, string]): Promise<readonly [Timed, Timed]> {
  const { enter } = await openMachine(withRun(loopOf(code), ""));
  const text = textOf(noProps, "null");
  const native = runInNewContext(`(() => { ${loopOf(code)}; return sink; })`) as () => unknown;
  const inRounds = (loop: () => void): Timed => ({
    name,
    times: [],
    run(count) {
      for (let done = 0; done < count; done += callsInRound) loop();
    },
  });
  return [inRounds(() => enter(guestOp.call, text)), inRounds(native)];
}

const pairs = await Promise.all(operations.map(operationForms));
// Enough for V8 to optimize its loops.
const both = await measure(pairs.flat(), 20_000);
// A round is one loop here.
const ofLoop = (index: number): number => ((both[index] ?? Number.NaN) * callsInRound) / loops;
const comparison = operations.map(([name], index) => {
  const [inside, outside] = [ofLoop(2 * index), ofLoop(2 * index + 1)];
  return `| ${name} | ${inside.toFixed(2)} us | ${outside.toFixed(2)} us | ${(inside / outside).toFixed(0)} |`;
});

const table = [
  `${machine()}; medians of ${rounds} rounds, by turns.`,
  "",
  "| Part of a call | Time |",
  "| --- | --- |",
  ...parts,
  `| **together** | ${us(measured.at(-1) ?? Number.NaN)} |`,
  "",
  "| Operation | In the engine | In V8 | Times |",
  "| --- | --- | --- | --- |",
  ...comparison,
].join("\n");
console.log(table);
if (values.update) updatePage("guest", table);
