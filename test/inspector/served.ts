import { createRuntime, type ManualClock, type Runtime, type RuntimeOptions } from "@x/runtime";
import { createApp, listen } from "@x/server";

import { testEngine } from "../../packages/runtime/src/engine.cases.ts";
import { upstream } from "./upstream.ts";

/** A served runtime with the inspector. */
export interface Served extends AsyncDisposable {
  readonly runtime: Runtime;
  readonly url: string;
  readonly apiKey: string;
  /** A link that signs in once. */
  link(): string;
}

const apiKey = "inspector-key-1";

/** Serves a runtime in memory, with the system's clock unless a manual one is given. */
export async function startServed(
  clock?: ManualClock,
  options: Pick<RuntimeOptions, "accounts" | "registry" | "network" | "memory" | "engine"> = {},
): Promise<Served> {
  const engine = await testEngine();
  let url = "";
  // The endpoints of sources have the URL of the server, whose port is known when it listens.
  const server = await listen(
    {
      fetch: (request, client) => app.fetch(request, client),
      answer: (request, client) => app.answer(request, client),
      drain: () => app.drain(),
    },
    {},
  );
  url = server.url;
  const runtime = await createRuntime({
    apiKey,
    publicUrl: url,
    engine,
    network: { mode: "allow-private", exchange: upstream },
    ...options,
    ...(clock && { clock }),
  });
  const app = createApp(runtime, { inspector: true, ...(clock && { clock }) });
  await runtime.start();
  return {
    runtime,
    url,
    apiKey,
    link: () => url + (app.signInPath?.() ?? ""),
    async [Symbol.asyncDispose]() {
      await server.close({ drainMs: 100 });
      await runtime.close();
    },
  };
}
