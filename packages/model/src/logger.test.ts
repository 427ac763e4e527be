import { Writable } from "node:stream";

import { pino } from "pino";
import { expect, it } from "vitest";

import { createRuntime } from "../../runtime/src/runtime.ts";
import { testEngine } from "../../runtime/src/engine.cases.ts";
import { componentText } from "../../runtime/src/runtime.cases.ts";
import { logFields, type Logger, type LogFields, type PinoLike, toLogger } from "./logger.ts";

/** Runs a component under an observer that throws, which the runtime logs. */
async function logOneError(logger: Logger | PinoLike): Promise<void> {
  const observe = (): never => {
    throw new Error("observer");
  };
  await using runtime = await createRuntime({ engine: await testEngine(), logger, observe });
  const { source } = await runtime.deploy({ code: componentText("run() {},") });
  await runtime.invoke(source.id);
}

function recorder(level: string): {
  readonly lines: Record<string, unknown>[];
  readonly stream: Writable;
  level: string;
} {
  const lines: Record<string, unknown>[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      lines.push(JSON.parse(chunk.toString()) as Record<string, unknown>);
      done();
    },
  });
  return { lines, stream, level };
}

it("a logger of pino gets fields and message in its own form, and filters by its level", async () => {
  const { lines, stream, level } = recorder("error");
  await logOneError(pino({ level }, stream).child({ service: "mine" }));
  expect(lines).toEqual([
    expect.objectContaining({
      level: 50,
      msg: "observe threw",
      error: "Error: observer",
      source: expect.stringMatching(/^dc_/) as string,
      service: "mine",
    }),
  ]);
});

it("at its debug level a logger of pino gets runs, their durations and changes of sources", async () => {
  const { lines, stream, level } = recorder("debug");
  await logOneError(pino({ level }, stream));
  const names = Object.keys(logFields);
  expect(lines.map(({ msg }) => msg)).toEqual([
    "a source was changed",
    "a run ended",
    "observe threw",
    "a run was stored",
  ]);
  expect(lines[1]).toMatchObject({ level: 20, entry: "run", type: "MANUAL", status: "ok", emitted: 0 });
  const own = new Set(["level", "time", "pid", "hostname", "msg"]);
  const fields = lines.flatMap((line) => Object.keys(line)).filter((name) => !own.has(name));
  expect(fields.filter((name) => !names.includes(name))).toEqual([]);
});

it("another logger is called with the message first, also without debug", async () => {
  const seen: [string, LogFields | undefined][] = [];
  await logOneError({ info() {}, warn() {}, error: (message, fields) => void seen.push([message, fields]) });
  expect(seen).toEqual([
    ["observe threw", { source: expect.stringMatching(/^dc_/) as string, error: "Error: observer" }],
  ]);
});

it("without a logger nothing is logged", () => {
  expect(toLogger().debug).toBeUndefined();
  toLogger().error("nothing");
});
