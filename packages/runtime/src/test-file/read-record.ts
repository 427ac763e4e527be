import type {
  ExecutionDetail,
  ExecutionSummary,
  Json,
  RecordedCall,
  RecordedDbChange,
  RecordedPayload,
} from "@x/model";
import type { TestCall, TestDbChange, TestEmit, TestRun } from "./test-run.ts";

const parse = (text: string): Json => JSON.parse(text) as Json;
const payloadOf = ({ payload }: RecordedPayload): Json | undefined => (payload === null ? undefined : parse(payload));

function emitOf(emit: ExecutionDetail["emitted"][number] | ExecutionDetail["dropped"][number]): TestEmit {
  const { dedupeId, summary, ts, name: channel } = emit;
  return {
    payload: payloadOf(emit),
    channel,
    ...(dedupeId !== undefined && { dedupeId }),
    ...(summary !== undefined && { summary }),
    ...(ts !== undefined && { ts }),
  };
}

const plainHeaders = (headers: RecordedCall["requestHeaders"]): { [name: string]: string } =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, [value].flat().map(String).join(", ")]));

function callOf(call: RecordedCall): TestCall {
  const { method, url, status, error, requestBody, responseBody } = call;
  const answer = responseBody?.text ?? responseBody?.base64;
  return {
    method,
    url,
    status,
    ...(error !== undefined && { error }),
    requestHeaders: plainHeaders(call.requestHeaders),
    ...(requestBody?.text !== undefined && { requestBody: requestBody.text }),
    responseHeaders: plainHeaders(call.responseHeaders),
    ...(answer !== undefined && { responseBody: answer }),
    ...(responseBody?.base64 !== undefined && { isBase64: true }),
    ...((requestBody?.truncated === true || responseBody?.truncated === true) && { isCut: true }),
  };
}

const changeOf = ({ key, before, after, truncated }: RecordedDbChange): TestDbChange => ({
  key,
  ...(before !== null && { before: parse(before) }),
  ...(after !== null && { after: parse(after) }),
  ...(truncated && { isCut: true }),
});

const lists = {
  emitted: "events",
  dropped: "dropped events",
  logs: undefined,
  steps: "steps",
  calls: "requests",
  db: "changes of the db",
  dataStores: "changes of data stores",
} as const;

function omittedOf({ omitted }: ExecutionDetail): string[] {
  return Object.entries(lists).flatMap(([list, noun]) => {
    const count = omitted[list as keyof typeof lists] ?? 0;
    return count === 0 || noun === undefined ? [] : [`The record lacks ${count} ${noun}, so they are not compared.`];
  });
}

/** What the record of a run has for a test; undefined for a hook, and when the record lacks the event. */
export function readRecord(execution: ExecutionSummary & { readonly detail: ExecutionDetail }): TestRun | undefined {
  const { id, startedAt, endedAt, status, detail } = execution;
  if (execution.entry !== "run" || detail.event === null) return undefined;
  const { response, error, httpProp } = detail;
  return {
    id,
    startedAt,
    endedAt,
    status,
    event: parse(detail.event),
    ...(httpProp !== undefined && { httpProp }),
    ...(execution.appEvent && { appEventNames: execution.appEvent.names }),
    emitted: detail.emitted.map(emitOf),
    dropped: detail.dropped.flatMap((drop) => {
      const { reason, remembered } = drop;
      if (reason === "rolled_back") return [];
      return { ...emitOf(drop), reason, ...(remembered !== undefined && { remembered }) };
    }),
    calls: detail.calls.map(callOf),
    db: detail.db.map(changeOf),
    dataStores: (detail.dataStores ?? []).map((change) => ({ name: change.name, ...changeOf(change) })),
    ...(response?.body.text !== undefined &&
      !response.body.truncated && {
        response: { status: response.status, headers: response.headers, body: response.body.text },
      }),
    ...(error && { error: { name: error.name, message: error.message, code: error.code } }),
    steps: detail.steps.map(({ name }) => name),
    omitted: omittedOf(detail),
  };
}
