import { createRuntime, type Engine, XError } from "@x/runtime";

import { surveyFolder } from "./generated-component.ts";
import type { Seen, View } from "./view.ts";

/** What loading took. */
export interface Cost {
  readonly bundleBytes: number;
  /** Bundling and the first evaluation. */
  readonly loadMs: number;
  /** Of the sandbox after the run. */
  readonly memoryBytes: number;
}

export type SandboxSeen = Seen & { readonly cost?: Cost };

const reasonOf = (error: unknown): string =>
  (error instanceof XError ? `${error.code}: ${error.message}` : String(error)).replace(/\s+/g, " ");

/** Deploys a generated component and runs it once. */
export async function viewInSandbox(file: string, engine: Engine): Promise<SandboxSeen> {
  let cost: Cost | undefined;
  let failure: string | undefined;
  let view: View | undefined;
  await using runtime = await createRuntime({
    engine,
    observe({ execution: { error, memoryBytes }, emitted: [first] }) {
      if (cost) cost = { ...cost, memoryBytes };
      if (error) failure = `${error.name}: ${error.message}`;
      else if (first) view = JSON.parse(first.payload) as View;
    },
  });
  try {
    const from = performance.now();
    const component = await runtime.saveComponent({ file, root: surveyFolder });
    const loadMs = performance.now() - from;
    const { bundle } = await runtime.componentTexts(component.id);
    cost = { bundleBytes: Buffer.byteLength(bundle), loadMs, memoryBytes: 0 };
    const { source } = await runtime.deploy({ componentId: component.id });
    await runtime.invoke(source.id, { event: {} });
  } catch (error) {
    failure ??= reasonOf(error);
  }
  return { ...(view ? { view } : { failure: failure ?? "nothing was emitted" }), ...(cost && { cost }) };
}
