import type { Runtime } from "@x/runtime";
import { expect, test } from "vitest";

import { recordLog } from "../../../components/src/registry/registry.cases.ts";
import { watchUncaught } from "../../../model/src/process/uncaught.cases.ts";
import { renewRuntime } from "./renewed-runtime.ts";

test("a service whose failed runs cannot be logged any more serves on, says so once, and closes", async () => {
  using uncaught = watchUncaught();
  const logger = recordLog();
  const runtime: Pick<Runtime, "failed" | "close"> = {
    failed: new Promise(() => undefined),
    close: () => Promise.resolve(),
  };
  const renewed = renewRuntime(runtime as Runtime, {
    stop: new AbortController().signal,
    logger,
    replaced: () => undefined,
    watch: () => Promise.reject(new Error("planned")),
  });
  expect(await uncaught.found()).toEqual([]);
  expect(logger.lines).toEqual([["failed runs are not logged any more", { error: "Error: planned" }]]);
  await renewed.close(0);
});
