import type { QueuedDelivery } from "@x/model";

/** The context attributes of a delivery as a CloudEvent, by name. All values are texts. */
export interface CloudEventAttributes {
  readonly specversion: "1.0";
  /** The same at every attempt, and another one for each event. */
  readonly id: string;
  /** Path of the emitter in the REST interface. */
  readonly source: string;
  /** The stream: `default`, a channel, `$errors` or `$logs`. */
  readonly type: string;
  /** Absent for a time that RFC 3339 cannot write. */
  readonly time?: string;
}

const times = { first: Date.parse("0000-01-01T00:00:00Z"), last: Date.parse("9999-12-31T23:59:59.999Z") };

/** What CloudEvents forbids in texts: control characters, lone surrogates and code points that are no characters. */
const forbidden = /[\p{Cc}\p{Cs}\p{Noncharacter_Code_Point}]/gu;

const percentEncode = (text: string): string =>
  [...Buffer.from(text)].map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, "0")}`).join("");

export function cloudEventAttributes({
  emitId,
  emitterId,
  eventName,
  eventId,
  ts,
}: QueuedDelivery): CloudEventAttributes {
  const kind = emitterId.startsWith("p_") ? "workflows" : "sources";
  const at = ts ?? eventId.ms;
  return {
    specversion: "1.0",
    id: emitId,
    source: `/v1/${kind}/${emitterId}`,
    type: eventName === "" ? "default" : eventName.replace(forbidden, percentEncode),
    ...(at >= times.first && at <= times.last && { time: new Date(at).toISOString() }),
  };
}

/** The headers in binary mode. Values are percent-encoded, as the HTTP binding says. */
export const binaryHeaders = (attributes: CloudEventAttributes): [string, string][] =>
  Object.entries(attributes).map(([name, value]: [string, string]) => [
    `ce-${name}`,
    value.replace(/[^\x21-\x7e]|["%]/gu, percentEncode),
  ]);
