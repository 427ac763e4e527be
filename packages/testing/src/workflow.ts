import { openStand } from "./stand.ts";
import type { AnyFunction } from "./frames.ts";
import { findComponent, type GivenComponent } from "./component/given-component.ts";
import { HarnessError } from "./harness-error.ts";
import { secretsOf } from "./secrets.ts";
import type { SourceOptions } from "./source-options.ts";
import { type Acting, createStage, type Subject } from "./stage.ts";
import { withMembers } from "./with-members.ts";

/** As for `source`; values of props stand in the workflow's own code. */
export type WorkflowOptions = Omit<SourceOptions, "props">;

/**
 * A workflow in the real runtime: acted on like a source. Its trigger is `tick`, `request` or `run(event)`; what each
 * run did is in `runs`, with the names of its `steps`. `db` and `setDb` have the db of each step behind its name:
 * `step.key`.
 */
export interface WorkflowUnderTest extends Acting {
  /** From then on its trigger works. */
  register(): Promise<void>;
  /** Ends the runtime, starts another one on the same store, and registers the workflow there. */
  restart(): Promise<void>;
  /** URL of its HTTP trigger. */
  readonly endpoint: string | undefined;
}

/** Puts a workflow under test. Nothing starts before the first step. */
export function workflow(given: GivenComponent, options: WorkflowOptions = {}): WorkflowUnderTest {
  return openWorkflow(given, options, workflow);
}

/** `below` is the function that the test calls. */
export function openWorkflow(given: GivenComponent, options: WorkflowOptions, below: AnyFunction): WorkflowUnderTest {
  const stand = openStand(given, options, below);
  const code = findComponent(given, options.root);
  const { name, settings } = options;
  let registered: Subject | undefined;
  const { acting, step, need } = createStage({
    stand,
    subject: () => registered,
    words: {
      first: "a workflow that is registered: await register()",
      noEndpoint: 'a workflow with trigger: { type: "http" }',
    },
  });

  async function put(): Promise<void> {
    const runtime = await stand.runtime();
    const input = { ...code, ...(name !== undefined && { name }), ...(settings && { settings }) };
    const { id, endpointUrl: url } = await runtime.workflow(input);
    registered = { id, endpoints: url === undefined ? {} : { trigger: url } };
  }

  const self: Omit<WorkflowUnderTest, keyof Acting> = {
    register: () =>
      step(self.register, "register", () => {
        if (registered) throw new HarnessError("The workflow is registered already.");
        stand.answerer?.begin?.(secretsOf({ props: [] }, options));
        return put();
      }),
    restart: () =>
      step(self.restart, "restart", async () => {
        need("restart()");
        await stand.restart();
        await put();
      }),
    get endpoint() {
      return registered?.endpoints["trigger"];
    },
  };
  return withMembers(acting, self);
}
