/** A workflow as the REST interface shows it. Times are epoch seconds. */
export interface Workflow {
  readonly id: string;
  readonly name: string;
  readonly active: boolean;
  readonly endpoint_url?: string;
  readonly created_at: number;
  readonly updated_at: number;
}

/** A workflow with the names of its steps, in order. */
export interface WorkflowDetail extends Workflow {
  readonly steps: readonly string[];
}
