import { isDeepStrictEqual } from "node:util";

import type { Problem, PropShape } from "@x/model";
import { fewProblems, maxProps } from "../bounds.ts";
import { propShape } from "./prop-shape.ts";
import { isRecord, shownKind } from "../shown-value.ts";

const maxBytes = 1024 * 1024;

export interface DynamicProps {
  /** The props that the component does not already declare in the same way. */
  readonly props: readonly PropShape[];
  readonly problems: readonly Problem[];
}

/** Reads the result of `additionalProps`, as the sandbox describes it. Invalid props are left out and listed in `problems` (G23). */
export function readDynamicProps(resultJson: string, declared: readonly PropShape[]): DynamicProps {
  const result: unknown = JSON.parse(resultJson);
  if (result === null) return { props: [], problems: [] };
  if (!isRecord(result)) {
    const message = `additionalProps must return an object of props by name, got ${shownKind(result)}`;
    return { props: [], problems: [{ path: "", message }] };
  }
  if (Buffer.byteLength(resultJson) > maxBytes) {
    const message = `additionalProps may return at most ${maxBytes} bytes of props, got ${Buffer.byteLength(resultJson)}`;
    return { props: [], problems: [{ path: "", message }] };
  }
  const count = Object.keys(result).length;
  if (count > maxProps) {
    const message = `additionalProps may return at most ${maxProps} props, got ${count}`;
    return { props: [], problems: [{ path: "", message }] };
  }
  const own = new Map(declared.map((prop) => [prop.name, prop]));
  const problems: Problem[] = [];
  const props: PropShape[] = [];
  for (const [name, given] of Object.entries(result)) {
    const prop = propShape(name, given, problems);
    if (prop && !isDeepStrictEqual(prop, own.get(name))) props.push(prop);
  }
  return { props, problems: fewProblems(problems) };
}
