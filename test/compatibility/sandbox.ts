import { fileURLToPath } from "node:url";

import { createRuntime, type Engine, type Json, type ObservedExecution } from "@x/runtime";

import { componentFile } from "./plain-node.ts";
import type { CallRecord, Scenario } from "./scenario.ts";

const root = fileURLToPath(new URL(".", import.meta.url));

const recordOf = ({ entry, execution, emitted, db }: ObservedExecution): CallRecord => ({
  entry,
  outcome: execution.error ? `${execution.error.name}: ${execution.error.message}` : "ok",
  emits: emitted.map(({ payload, dedupeId, summary }) => ({
    event: JSON.parse(payload) as Json,
    ...(dedupeId !== undefined && { id: dedupeId }),
    ...(summary !== undefined && { summary }),
  })),
  response: execution.response,
  db: Object.fromEntries([...db].map(([key, text]) => [key, text === undefined ? null : (JSON.parse(text) as Json)])),
});

/** The prop of the component's HTTP interface. */
const httpPropOf = (props: readonly { readonly name: string; readonly type: string }[]): string | undefined =>
  props.find(({ type }) => type === "$.interface.http")?.name;

export interface SandboxRun {
  readonly records: readonly CallRecord[];
  /** Of the component with all its packages. */
  readonly bundleBytes: number;
}

/** Runs a scenario in the sandbox, from its file, with the packages beside it. Rejects when it cannot be loaded. */
export async function runInSandbox(scenario: Scenario, upstream: string, engine: Engine): Promise<SandboxRun> {
  const records: CallRecord[] = [];
  const { props = {}, auth = {} } = scenario;
  await using runtime = await createRuntime({
    engine,
    network: { mode: "allow-private", ...(!scenario.direct && { upstream }) },
    accounts: ({ id }) => auth[id] ?? {},
    observe: (observed) => void records.push(recordOf(observed)),
  });
  const accounts = Object.fromEntries(Object.keys(auth).map((prop) => [prop, { authProvisionId: prop }]));
  const component = await runtime.saveComponent({ file: componentFile(scenario), root });
  const httpProp = httpPropOf(component.shape.props);
  try {
    const view = await runtime.deploy({ componentId: component.id, props: { ...props, ...accounts } });
    for (const step of scenario.steps) {
      const isRequest = "request" in step && httpProp !== undefined;
      const event = "request" in step ? step.request : step.run;
      await runtime.invoke(view.source.id, { event, ...(isRequest && { httpProp }) });
    }
    await runtime.delete(view.source.id, { ignoreHookErrors: true });
  } catch (error) {
    // A hook that throws ends the deployment; what it did is in the records.
    if (records.length === 0) throw error;
  }
  const { bundle } = await runtime.componentTexts(component.id);
  return { records, bundleBytes: Buffer.byteLength(bundle) };
}
