import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import type { EndpointRequest, EndpointResponse, SourceView } from "./api/api.ts";
import type { Runtime } from "./api/runtime-api.ts";
import { type ManualClock, manualClock } from "../../model/src/process/clock.ts";
import type { StoredEvent } from "./api/events-api.ts";
import type { Json, StreamKind } from "../../model/src/model.ts";
import type { RuntimeOptions } from "./api/options.ts";
import { createRuntime } from "./runtime.ts";
import { testEngineWithin } from "./engine.cases.ts";

/** 2026-11-20T18:00:00Z, a whole hour. */
export const startMs = 1_795_197_600_000;

export interface Trial {
  readonly runtime: Runtime;
  readonly clock: ManualClock;
  /** Deploys code with the name of the test's component. */
  deploy(code: string, props?: { [prop: string]: Json }, more?: object): Promise<SourceView>;
  /** Payloads of a stream, oldest first. */
  payloads(id: string, stream?: StreamKind): Promise<Json[]>;
  stored(id: string, stream?: StreamKind): Promise<StoredEvent[]>;
  /** What hooks and runs wrote with `console.log`, oldest first. */
  log(id: string): Promise<string[]>;
  /** Sends a request to the source's endpoint. */
  hit(view: SourceView, request?: Partial<EndpointRequest> & { text?: string }): Promise<EndpointResponse>;
  /** Moves the clock, and waits for due work. */
  advance(ms: number): Promise<void>;
}

/** A started runtime on a memory store, a manual clock and the tests' engine; options as wanted. */
export async function openTrial({ limits, ...options }: RuntimeOptions = {}, at: number = startMs): Promise<Trial> {
  const clock = manualClock(at);
  const engine =
    options.workers === undefined && options.engine === undefined
      ? { engine: await testEngineWithin(limits ?? {}) }
      : { ...(limits && { limits }) };
  const runtime = await createRuntime({ clock, ...engine, ...options });
  await runtime.start();
  return trialOf(runtime, clock);
}

export function trialOf(runtime: Runtime, clock: ManualClock): Trial {
  const stored = async (id: string, stream: StreamKind = "emits"): Promise<StoredEvent[]> =>
    (await runtime.storedEvents(id, stream, { limit: 100 })).items.toReversed();
  const payloads = async (id: string, stream?: StreamKind): Promise<Json[]> =>
    (await stored(id, stream)).map(({ payload }) => JSON.parse(payload) as Json);
  return {
    runtime,
    clock,
    stored,
    payloads,
    deploy: (code, props = {}, more = {}) => runtime.deploy({ code, props, ...more }),
    async log(id) {
      const records = (await payloads(id, "$logs")) as { k: string; msg?: string }[];
      return records.filter(({ k }) => k === "console.log").map(({ msg }) => msg ?? "");
    },
    hit(view, { text, ...given } = {}) {
      const [endpoint = ""] = Object.values(view.source.endpoints);
      return runtime.request(endpoint, {
        method: "POST",
        path: "/",
        url: endpoint,
        search: "",
        headers: [["content-type", "application/json"]],
        body: new TextEncoder().encode(text ?? ""),
        clientIp: "127.0.0.1",
        ...given,
      });
    },
    async advance(ms) {
      clock.jump(ms);
      await runtime.idle();
    },
  };
}

/** Module text of a component: `name` and `version`, then the members as given. */
export const componentText = (members: string, name = "Trial"): string =>
  `export default { name: ${JSON.stringify(name)}, version: "1.0.0", ${members} };\n`;

/** A component that runs this body. */
export const runText = (body: string, members = ""): string =>
  componentText(`${members} async run(event) { ${body} },`);

/** Hooks that log their names, with a mark that distinguishes versions. */
export const hooksText = (mark: string, members = ""): string =>
  componentText(
    `${members} hooks: { deploy() { console.log("deploy ${mark}") }, activate() { console.log("activate ${mark}") },
     deactivate() { console.log("deactivate ${mark}") } }, async run() { console.log("run ${mark}") },`,
  );

/** Delays calls of components with `gatedProp`, before they reach the sandbox, until it is opened. */
export interface Gate {
  readonly accounts: () => Promise<object>;
  close(): void;
  open(): void;
}

export function createGate(): Gate {
  let passed = Promise.withResolvers<object>();
  passed.resolve({});
  return {
    accounts: () => passed.promise,
    close: () => void (passed = Promise.withResolvers<object>()),
    open: () => passed.resolve({}),
  };
}

export const gatedProp = `gate: { type: "app", app: "gate" }`;
export const gatedValue: { [prop: string]: Json } = { gate: { authProvisionId: "apn_gate" } };

/** Waits until all pending microtasks and immediates have run. */
export async function settleTurns(): Promise<void> {
  for (let turn = 0; turn < 20; turn++) await new Promise(setImmediate);
}

export const answerText = (answer: EndpointResponse): string => new TextDecoder().decode(answer.body);

export const headerOf = (answer: EndpointResponse, name: string): string | undefined =>
  answer.headers.find(([key]) => key.toLowerCase() === name)?.[1];

const folders: string[] = [];

/** A folder that `removeFolders` removes. */
export function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "x-runtime-"));
  folders.push(folder);
  return folder;
}

export function removeFolders(): void {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
}
