import { withActions } from "./actions.ts";
import { secretsOf } from "./accounts.ts";
import { findComponent, type GivenComponent } from "./component/given.ts";
import type { AnyFunction } from "./frames.ts";
import { HarnessError } from "./harness-error.ts";
import type { SourceOptions } from "./source-options.ts";
import { createSteps, type Subject } from "./steps.ts";
import { openTestRuntime } from "./test-runtime.ts";
import type { UnderTest } from "./under-test.ts";

/** As for `source`, without props: the workflow's own code has their values. */
export type WorkflowOptions = Omit<SourceOptions, "props">;

/**
 * A workflow in the real runtime. `tick`, `request` and `run(event)` act as its trigger; `runs` have the names of the
 * `steps` that began. `db` and `setDb` name a value of a step `step.key`.
 */
export interface WorkflowUnderTest extends UnderTest {
  /** Registers the workflow; from then on its trigger works. */
  register(): Promise<void>;
  /** Closes the runtime, starts another one on the same store and registers the workflow there. */
  restart(): Promise<void>;
  /** URL of its HTTP trigger; undefined before `register` and for other triggers. */
  readonly endpoint: string | undefined;
}

/** Puts a workflow under test. The first step starts the runtime. */
export function workflow(given: GivenComponent, options: WorkflowOptions = {}): WorkflowUnderTest {
  return openWorkflow(given, options, workflow);
}

/** As `workflow`. `below` is the function that the test calls: frames above it are left out of stacks. */
export function openWorkflow(given: GivenComponent, options: WorkflowOptions, below: AnyFunction): WorkflowUnderTest {
  const testRuntime = openTestRuntime(given, options, below);
  const code = findComponent(given, options.root);
  const { name, settings } = options;
  let registered: Subject | undefined;
  const steps = createSteps({
    testRuntime,
    subject: () => registered,
    firstStep: "a workflow that is registered: await register()",
  });

  async function register(): Promise<void> {
    const runtime = await testRuntime.runtime();
    const input = { ...code, ...(name !== undefined && { name }), ...(settings && { settings }) };
    const { id, endpointUrl: url } = await runtime.workflow(input);
    registered = { id, endpoints: url === undefined ? {} : { trigger: url } };
  }

  const self: Omit<WorkflowUnderTest, keyof UnderTest> = {
    register: () =>
      steps.step(self.register, "register", () => {
        if (registered) throw new HarnessError("The workflow is registered already.");
        testRuntime.answerer?.begin?.(secretsOf({ props: [] }, options));
        return register();
      }),
    restart: () =>
      steps.step(self.restart, "restart", async () => {
        steps.need("restart()");
        await testRuntime.restart();
        await register();
      }),
    get endpoint() {
      return registered?.endpoints["trigger"];
    },
  };
  return withActions(testRuntime, steps, 'a workflow with trigger: { type: "http" }', self);
}
