import { expect, test } from "vitest";

import { sha256Hex } from "../../../process/sha256.ts";
import { evaluate } from "../../thread/evaluation.ts";
import { unwatched } from "../../thread/heartbeat.ts";
import { guestOp } from "../../ops.ts";
import { builtinsProgram } from "../../builtins-program.cases.ts";
import { randomProgram } from "../../random-program.cases.ts";
import { findBaseImage } from "../base-image.ts";
import { loadEngineCode, readEngineFiles } from "../engine-files.ts";
import { idleHost } from "../guest-machine.ts";
import { captureImage, restoreImage } from "../image.ts";
import { createMachineLoader } from "../quickjs-machine.ts";
import { wasm, type WasmInstance, type WasmMemory } from "../wasm.ts";
import { exactName, noteExactWrites } from "./exact-writes.cases.ts";
import { marksModule } from "./marked-module.ts";
import { coveredBytes, mark, pieceBytes, stack, trackedBytes } from "./pieces.ts";

interface Instantiated {
  readonly exact: WasmMemory;
  readonly marks: WasmMemory;
}

/** The memories of the last instance that was created. */
async function withInstances<Result>(work: (last: () => Instantiated) => Promise<Result>): Promise<Result> {
  const { Instance } = wasm;
  let last: Instantiated | undefined;
  wasm.Instance = class extends Instance implements WasmInstance {
    constructor(module: WebAssembly.Module, imports: object) {
      super(module, imports);
      const { [exactName]: exact } = this.exports as { [exactName]?: WasmMemory };
      const { [marksModule]: given } = imports as { [marksModule]?: { marks: WasmMemory } };
      if (exact && given) last = { exact, marks: given.marks };
    }
  };
  try {
    return await work(() => {
      if (!last) throw new Error("The engine was not instantiated");
      return last;
    });
  } finally {
    wasm.Instance = Instance;
  }
}

/** The first byte that was written and would not be restored. */
function findUnmarked({ exact, marks }: Instantiated): number | undefined {
  const written = Buffer.from(exact.buffer, 0, trackedBytes);
  const marked = new Uint8Array(marks.buffer);
  const isMarked = (piece: number): boolean => marked[piece] === mark.written;
  const lowest = marked.findIndex((each, piece) => each === mark.written && piece * pieceBytes > stack.low);
  const isStack = (at: number): boolean => at >= lowest * pieceBytes && at < stack.high;
  for (let at = written.indexOf(1); at >= 0; at = written.indexOf(1, at + 1)) {
    const piece = Math.floor(at / pieceBytes);
    const isCovered = at % pieceBytes < coveredBytes && isMarked(piece - 1);
    if (!isMarked(piece) && !isCovered && !(at > stack.low && isStack(at))) return at;
  }
  return undefined;
}

const programs = [
  ...Array.from({ length: 24 }, (_, seed) => randomProgram(seed + 100)),
  ...Array.from({ length: 6 }, (_, seed) => builtinsProgram(seed + 100)),
];

test("every byte that the engine writes is in a piece that is restored", async () => {
  const files = readEngineFiles();
  const base = findBaseImage(files);
  if (!base) throw new Error("The build made no base image");
  const code = await loadEngineCode({ ...files, wasmBytes: noteExactWrites(files.wasmBytes) });
  await withInstances(async (last) => {
    const loader = await createMachineLoader(code);
    let machine = await loader.create(1_024);
    const written: number[] = [];
    for (const program of programs) {
      restoreImage(machine, base);
      const exact = new Uint8Array(last().exact.buffer).fill(0);
      const { error } = evaluate(machine, unwatched, { callId: 1, code: program, timeoutMs: 60_000, describe: false });
      expect(error).toBeUndefined();
      expect(findUnmarked(last())).toBeUndefined();
      const image = captureImage(machine, base);
      for (let round = 0; round < 2; round += 1) {
        restoreImage(machine, image, base);
        exact.fill(0);
        machine.attach(idleHost);
        const self = { props: {}, http: {}, timers: {}, db: ["db"], auth: {} };
        machine.enter(guestOp.call, JSON.stringify({ entry: "run", self, db: {}, emit: true, seed: [1, 2], event: 1 }));
        while (machine.hasJobs()) machine.runJobs(64);
        expect([sha256Hex(program), findUnmarked(last())]).toEqual([sha256Hex(program), undefined]);
        written.push(exact.indexOf(1));
      }
      if (!machine.tracked.isRestorable) machine = await loader.create(1_024);
    }
    expect(written).not.toContain(-1);
  });
}, 120_000);
