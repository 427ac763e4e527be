import { expect, onTestFinished } from "vitest";

import type { EmittedEvent } from "./component-types.ts";
import type { GivenCode, GivenComponent, ImportedComponent } from "./component/given.ts";
import * as matchers from "./matchers.ts";
import { warmEngine } from "./engine/engine.ts";
import { openSource } from "./source.ts";
import type { SourceOptions } from "./source-options.ts";
import type { SourceUnderTest } from "./under-test.ts";
import { openWorkflow, type WorkflowOptions, type WorkflowUnderTest } from "./workflow.ts";

/** Importing this module adds the matchers to vitest's `expect`. It exports everything that `@x/testing` does. */
export * from "./index.ts";

declare module "vitest" {
  // Declaration merging needs the type parameters of vitest.
  interface Matchers<
    R extends void | Promise<void> = void | Promise<void>,
    T = unknown,
  > extends matchers.SourceMatchers<R> {}
}

expect.extend({ ...matchers });
warmEngine();

/**
 * Puts a component under test: the imported object, or the URL, path or text of its code. It is closed at the end of the
 * test. Throws `HarnessError` when the component has no file.
 */
export function source<C extends ImportedComponent = ImportedComponent>(
  given: C | GivenCode,
  options: SourceOptions<C> = {},
): SourceUnderTest<EmittedEvent<C>> {
  return closedAfterTest(openSource(given, options, source));
}

/** Puts a workflow under test. It is closed at the end of the test. */
export function workflow(given: GivenComponent, options: WorkflowOptions = {}): WorkflowUnderTest {
  return closedAfterTest(openWorkflow(given, options, workflow));
}

function closedAfterTest<T extends { close(): Promise<void> }>(opened: T): T {
  try {
    onTestFinished(() => opened.close());
  } catch {
    // Not inside a test: the caller closes it.
  }
  return opened;
}
