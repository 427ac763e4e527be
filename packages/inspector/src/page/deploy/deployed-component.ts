import type { PropShape } from "../props-form/prop-shape.ts";

/** A component that is about to be deployed. */
export interface DeployedComponent {
  readonly id: string;
  readonly name: string;
  readonly version: string;
  readonly key: string | null;
  readonly description?: string | null;
  readonly configurable_props: readonly PropShape[];
  readonly warnings?: readonly { readonly path: string; readonly message: string }[];
}
