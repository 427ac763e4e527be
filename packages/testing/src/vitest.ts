import { expect, onTestFinished } from "vitest";

import type { EmittedEvent } from "./emitted-event.ts";
import type { GivenCode, GivenComponent, ImportedComponent } from "./component/given-component.ts";
import { matchers, type SourceMatchers } from "./matchers.ts";
import { warmEngine } from "./engine/shared-engine.ts";
import { openSource } from "./source.ts";
import type { SourceOptions } from "./source-options.ts";
import type { SourceUnderTest } from "./source-under-test.ts";
import { openWorkflow, type WorkflowOptions, type WorkflowUnderTest } from "./workflow.ts";

/** Importing this adds the matchers to vitest's `expect`; the rest is what `@x/testing` exports. */
export * from "./index.ts";

declare module "vitest" {
  // The parameters must be vitest's own.
  interface Matchers<R extends void | Promise<void> = void | Promise<void>, T = unknown> extends SourceMatchers<R> {}
}

expect.extend({ ...matchers });
warmEngine();

/**
 * Puts a component under test: the imported one, whose file is what runs, or where its code is. What a test opens is
 * closed at its end. Throws `HarnessError` when it has no file.
 */
export function source<C extends ImportedComponent = ImportedComponent>(
  given: C | GivenCode,
  options: SourceOptions<C> = {},
): SourceUnderTest<EmittedEvent<C>> {
  return closedAfterTest(openSource(given, options, source));
}

/** Puts a workflow under test. What a test opens is closed at its end. */
export function workflow(given: GivenComponent, options: WorkflowOptions = {}): WorkflowUnderTest {
  return closedAfterTest(openWorkflow(given, options, workflow));
}

function closedAfterTest<T extends { close(): Promise<void> }>(opened: T): T {
  try {
    onTestFinished(() => opened.close());
  } catch {
    // Outside a test it is whoever opens it who closes it.
  }
  return opened;
}
