/** Where a span belongs: the header `traceparent` of W3C Trace Context. */
export interface TraceParent {
  /** 32 hex digits. */
  readonly traceId: string;
  /** 16 hex digits. */
  readonly spanId: string;
  readonly sampled: boolean;
}

/** Version, trace, span and flags. Later versions may have more fields after a hyphen. */
const form = /^([0-9a-f]{2})-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;
const zeros = /^0+$/;
const sampledFlag = 1;

/** Returns undefined for an invalid text, which the specification wants to be ignored. */
export function parseTraceparent(text: string): TraceParent | undefined {
  const [, version, traceId = "", spanId = "", flags = "", more] = form.exec(text.trim()) ?? [];
  if (version === undefined || version === "ff" || (version === "00" && more !== undefined)) return undefined;
  if (zeros.test(traceId) || zeros.test(spanId)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & sampledFlag) === sampledFlag };
}

export const formatTraceparent = ({ traceId, spanId, sampled }: TraceParent): string =>
  `00-${traceId}-${spanId}-0${sampled ? sampledFlag : 0}`;

/** The valid `traceparent` of a request, in the form that is stored; undefined for none, several or an invalid one. */
export function traceparentOf(headers: readonly (readonly [name: string, value: string])[]): string | undefined {
  const [given, ...others] = headers.filter(([name]) => name.toLowerCase() === "traceparent").map(([, value]) => value);
  const parsed = given === undefined || others.length > 0 ? undefined : parseTraceparent(given);
  return parsed && formatTraceparent(parsed);
}
