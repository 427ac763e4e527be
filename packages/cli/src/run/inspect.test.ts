import { once } from "node:events";

import { expect, test } from "vitest";

import { makeFolder, spawnX } from "../spawned.cases.ts";

interface Told {
  readonly id?: number;
  readonly method?: string;
  readonly params?: {
    readonly callFrames?: readonly { readonly callFrameId: string; readonly functionName: string }[];
  };
  readonly result?: { readonly result?: { readonly value?: unknown } };
}

test("x run --inspect waits for a debugger, which stops inside the component and reads what is there", async () => {
  await using folder = await makeFolder({
    "odd.ts": `export default { name: "Odd", version: "1",
  run(event: { n: number }) { const twice: number = event.n * 2; debugger; this.$emit({ twice }); } };`,
  });
  await using x = spawnX(["run", "odd.ts", "--event", '{"n":21}', "--run-timeout", "1s", "--inspect"], {
    cwd: folder.path,
  });
  const findAddress = (): string | undefined => /ws:\/\/127\.0\.0\.1:\S+/.exec(x.err())?.[0];
  while (findAddress() === undefined) await once(x.child.stderr ?? x.child, "data");
  const socket = new WebSocket(findAddress() ?? "");
  await once(socket, "open");
  const paused = Promise.withResolvers<NonNullable<Told["params"]>>();
  const answers = new Map<number, (answer: Told) => void>();
  socket.addEventListener("message", ({ data }) => {
    const told = JSON.parse(String(data)) as Told;
    if (told.id !== undefined) answers.get(told.id)?.(told);
    if (told.method === "Debugger.paused" && told.params) paused.resolve(told.params);
  });
  const ask = (method: string, params: object = {}): Promise<Told> => {
    const id = answers.size + 1;
    socket.send(JSON.stringify({ id, method, params }));
    return new Promise((resolve) => answers.set(id, resolve));
  };
  await ask("Debugger.enable");
  await ask("Runtime.runIfWaitingForDebugger");
  const [frame] = (await paused.promise).callFrames ?? [];
  expect(frame?.functionName).toBe("run");
  const read = { callFrameId: frame?.callFrameId, expression: "twice", returnByValue: true };
  expect((await ask("Debugger.evaluateOnCallFrame", read)).result?.result?.value).toBe(42);
  await ask("Debugger.resume");
  expect(await x.exit).toBe(0);
  expect(x.out()).toContain('event  {"twice":42}');
  expect(x.err()).toContain("Attach your editor's debugger");
});
