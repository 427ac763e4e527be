import { type ComponentReference, XError } from "@x/runtime";

/** How a body names a component. */
export interface ReferenceBody {
  readonly component_id?: string;
  readonly key?: string;
  readonly component_code?: string;
  readonly component_url?: string;
}

/** The reference in a body; undefined when there is none. */
export function findReference(body: ReferenceBody): ComponentReference | undefined {
  const { component_id: componentId, key, component_code: code, component_url: url } = body;
  if ([componentId, key, code, url].every((each) => each === undefined)) return undefined;
  return {
    ...(componentId !== undefined && { componentId }),
    ...(key !== undefined && { key }),
    ...(code !== undefined && { code }),
    ...(url !== undefined && { url }),
  };
}

/** The reference in a body that must have one. Throws `missing_parameter` naming what is accepted (R082, R087). */
export function parseReference(body: ReferenceBody, accepted: readonly (keyof ReferenceBody)[]): ComponentReference {
  const reference = findReference(body);
  if (reference) return reference;
  const expected = `one of ${accepted.join(", ")}`;
  throw new XError("missing_parameter", [accepted[0] ?? "", expected], {
    details: { parameter: accepted[0], errors: [{ path: "", message: `must have ${expected}` }] },
  });
}
