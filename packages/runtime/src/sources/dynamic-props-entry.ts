import { XError, type PropShape } from "@x/model";

/** Dynamic props with their component. */
export interface DynamicPropsEntry {
  readonly componentId: string;
  readonly props: readonly PropShape[];
}

/** Throws `not_found`, or `invalid_parameter` when the props belong to another component. */
export function entryProps(
  id: string,
  entry: DynamicPropsEntry | undefined,
  componentId: string,
): readonly PropShape[] {
  if (!entry) throw new XError("not_found", ["dynamic props", id]);
  if (entry.componentId === componentId) return entry.props;
  const expected = `the id of dynamic props of component ${componentId}`;
  throw new XError("invalid_parameter", ["dynamicPropsId", expected, `one of component ${entry.componentId}`]);
}
