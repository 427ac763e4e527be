import { join } from "node:path";

import { testEngine } from "../../../runtime/src/engine.cases.ts";
import { type Service, type ServiceOptions, startService } from "./service.ts";

/** A service as `x serve` has it, in this process, on the tests' engine; its data is in `data` of the folder. */
export async function startServiceHere(
  folder: string,
  options: Partial<ServiceOptions> = {},
): Promise<Service & AsyncDisposable> {
  const service = await startService({
    data: join(folder, "data"),
    host: "127.0.0.1",
    port: 0,
    engine: await testEngine(),
    prepare: () => Promise.resolve(),
    stop: new AbortController().signal,
    ...options,
  });
  if (!service) throw new Error("It was stopped.");
  return { ...service, [Symbol.asyncDispose]: () => service.close() };
}
