import type { Json } from "@x/model";
import { expectedValues } from "./expected-values.ts";
import { Call, Code, inComment, literal, longLiteral, type Printable, quoted } from "./literal.ts";
import type { TestDbChange, TestEmit, TestRun, TestSubject } from "./test-run.ts";
import { jsonOf, type TestRoute, testRoutes } from "./test-routes.ts";
import { findStandIns, masked, type StandIns } from "./stand-ins.ts";

interface Parts {
  readonly run: TestRun;
  readonly subject: TestSubject;
  readonly standIns: StandIns;
  readonly routes: readonly TestRoute[];
  /** A value that the run made, as a test may expect it. */
  readonly expected: (value: Json) => Printable;
}

const counted = (count: number, noun: string): string => `${count} ${noun}${count === 1 ? "" : "s"}`;
const isoOf = (ms: number): string => new Date(ms).toISOString();
const textOf = (value: unknown): string => JSON.stringify(value) ?? "";
const isEmpty = (value: object): boolean => Object.keys(value).length === 0;

/** What the run was given, as texts. */
const givenTexts = ({ event, calls }: TestRun, { configuredProps }: TestSubject): string[] => [
  textOf(event),
  textOf(configuredProps),
  ...calls.map(({ responseBody = "" }) => responseBody),
];

function titleOf({ emitted, dropped, error }: TestRun, standIns: StandIns): string {
  if (error) return `throws ${error.name}`;
  const [only] = emitted;
  if (emitted.length === 1 && only?.summary !== undefined) return `emits ${standIns.text(only.summary)}`;
  if (emitted.length > 0) return `emits ${counted(emitted.length, "event")}`;
  return dropped.length > 0 ? `drops ${counted(dropped.length, "event")}` : "emits nothing";
}

/** A timer in the form that a test gives; the stored one has both fields. */
function timerOf(value: Json): Printable {
  const { cron, interval_seconds: intervalSeconds, timezone } = value as { [name: string]: Json };
  return cron === null || cron === undefined
    ? { intervalSeconds }
    : { cron, ...(timezone !== undefined && { timezone }) };
}

function propsOf({ subject: { props, configuredProps }, standIns }: Parts): { [prop: string]: Printable } {
  const given = props.flatMap(({ name, type, secret }): [string, Printable][] => {
    const value = Object.hasOwn(configuredProps, name) ? configuredProps[name] : undefined;
    if (value === undefined || type === "app" || type === "$.interface.http" || type === "$.service.db") return [];
    if (secret === true) return [[name, masked]];
    return [[name, type === "$.interface.timer" ? timerOf(value) : standIns.value(value)]];
  });
  return Object.fromEntries(given);
}

/** The options of `source` or `workflow`. */
function optionsOf(parts: Parts): Printable {
  const { run, subject, routes } = parts;
  const { accounts, settings, kind } = subject;
  const props = kind === "source" ? propsOf(parts) : {};
  return {
    ...(!isEmpty(props) && { props }),
    ...(!isEmpty(accounts) && { accounts }),
    now: isoOf(run.startedAt),
    ...(!isEmpty(settings) && { settings: settings as { readonly [name: string]: Printable } }),
    ...(routes.length > 0 && { routes: Object.fromEntries(routes.map(({ line, answer }) => [line, answer])) }),
  };
}

/** The ids that dedupe remembered, as far as its drops tell. */
function dedupeIdsOf({ dropped }: TestRun): { [channel: string]: string[] } {
  const byChannel = Map.groupBy(dropped, ({ channel }) => channel);
  const ids = [...byChannel].map(([channel, drops]): [string, string[]] => {
    const known = drops.flatMap(({ reason, dedupeId, remembered }) => {
      if (reason === "duplicate") return dedupeId ?? [];
      return reason === "not_greater" || reason === "not_after_last" ? (remembered ?? []) : [];
    });
    return [channel, [...new Set(known)]];
  });
  return Object.fromEntries(ids.filter(([, list]) => list.length > 0));
}

type Values = { readonly [key: string]: Json };

const shownValues = (values: Values, standIns: StandIns): { [key: string]: Json } =>
  standIns.value({ ...values }) as { [key: string]: Json };

/** The statements that bring the subject to where it was before the run. */
function beforeRun({ run, subject, standIns }: Parts): string[] {
  const db = shownValues(subject.dbBefore, standIns);
  const stores = Object.entries(subject.dataStoresBefore).map(
    ([name, values]) => `await ${call("subject.setDataStore", name, shownValues(values, standIns))};`,
  );
  if (subject.kind === "workflow") {
    const given = isEmpty(db) ? [] : [call("subject.setDb", db)];
    return [...stores, "await subject.register();", ...given.map((text) => `await ${text};`)];
  }
  const byChannel = standIns.value(dedupeIdsOf(run)) as { [channel: string]: Json };
  const [first, ...others] = Object.entries(byChannel);
  const dedupeIds = first?.[0] === "" && others.length === 0 ? first[1] : byChannel;
  const state = { ...(!isEmpty(db) && { db }), ...(first && { dedupeIds }) };
  return [...stores, `await ${isEmpty(state) ? "subject.restore()" : call("subject.restore", state)};`];
}

const depth = 1;
const call = (callee: string, ...given: readonly Printable[]): string => literal(new Call(callee, ...given), depth, 10);
/** `expect(actual).matcher(given)` */
const assertion = (actual: string, matcher: string, ...given: readonly Printable[]): string =>
  `${call(`expect(${actual}).${matcher}`, ...given)};`;

/** The call of `run`. */
function theRun({ run: { httpProp, appEventNames, error, status }, standIns }: Parts): string[] {
  const names = appEventNames && literal(standIns.value([...appEventNames]), depth, 10);
  const prop = httpProp === undefined ? "" : `, { prop: ${quoted(httpProp)} }`;
  const run = names === undefined ? `subject.run(event${prop})` : `subject.appEvent(${names}, event)`;
  if (!error) return [`const run = await ${run};`];
  // The texts of limits name times and sizes.
  const message = status === "error" ? quoted(standIns.text(error.message)) : "";
  return [`await expect(${run}).rejects.toThrow(${message});`];
}

const like = (fields: { readonly [name: string]: Printable }): Call => new Call("expect.objectContaining", fields);

function expectedEmit({ expected, standIns }: Parts, hasChannels: boolean) {
  const made = (value: Json): Printable => expected(standIns.value(value));
  return (emit: TestEmit, more: { readonly [name: string]: Printable } = {}): Call => {
    const { payload, dedupeId, summary, ts, channel } = emit;
    return like({
      event: payload === undefined ? new Call("expect.anything") : made(payload),
      ...(dedupeId !== undefined && { id: made(dedupeId) }),
      ...(summary !== undefined && { summary: made(summary) }),
      ...(ts !== undefined && { ts: made(ts) }),
      ...(hasChannels && { channel }),
      ...more,
    });
  };
}

/** What the db or a data store has after the run, as far as it is known. */
function valuesAfter(
  before: Values,
  changes: readonly TestDbChange[],
  { standIns, expected }: Parts,
): { [key: string]: Printable } {
  const after = new Map<string, Printable>(Object.entries(shownValues(before, standIns)));
  for (const { key, after: value, isCut } of changes) {
    const shown = standIns.text(key);
    if (isCut === true) after.set(shown, new Call("expect.anything"));
    else if (value === undefined) after.delete(shown);
    else after.set(shown, expected(standIns.value(value)));
  }
  return Object.fromEntries(after);
}

/** What is stored after the run. */
function expectedStored(parts: Parts): string[] {
  const { dbBefore, dataStoresBefore } = parts.subject;
  const { db, dataStores } = parts.run;
  const names = new Set([...Object.keys(dataStoresBefore), ...dataStores.map(({ name }) => name)]);
  const stores = [...names].map((name): [string, { [key: string]: Printable }] => {
    const changes = dataStores.filter((change) => change.name === name);
    return [name, valuesAfter(dataStoresBefore[name] ?? {}, changes, parts)];
  });
  const kept = Object.fromEntries(stores.filter(([, values]) => !isEmpty(values)));
  return [
    assertion("subject.db", "toEqual", valuesAfter(dbBefore, db, parts)),
    ...(names.size > 0 ? [assertion("subject.dataStores", "toEqual", kept)] : []),
  ];
}

/** A field of the run, as a test writes it. */
const nameOf = ({ error }: TestRun, field: string): string => `${error ? "subject.runs[0]?" : "run"}.${field}`;

function expectedResponse({ run, standIns, expected }: Parts): string[] {
  if (!run.response) return [];
  const { status, headers, body: text } = run.response;
  const type = Object.entries(headers).find(([name]) => name.toLowerCase() === "content-type")?.[1];
  const json = jsonOf(text, typeof type === "string" ? type : undefined);
  const body = text === "" ? [] : [expected(standIns.value(json ?? text))];
  return [assertion(nameOf(run, "response"), "toHaveRespondedWith", status, ...body)];
}

/** A request whose body is JSON is compared with its body; other requests are counted. */
function expectedRequest({ line, calls }: TestRoute, { standIns, expected }: Parts): string {
  const [{ requestBody = "", isCut, requestHeaders } = { requestBody: "", isCut: false, requestHeaders: {} }] = calls;
  const type = Object.entries(requestHeaders).find(([name]) => name.toLowerCase() === "content-type")?.[1];
  const body = calls.length === 1 && isCut !== true && type !== undefined ? jsonOf(requestBody, type) : undefined;
  const wanted = body === undefined ? calls.length : { times: 1, body: expected(standIns.value(body)) };
  return assertion("subject", "toHaveRequested", line, wanted);
}

function afterRun(parts: Parts): string[] {
  const { run, subject, standIns, routes } = parts;
  const { emitted, dropped, error, omitted } = run;
  const hasChannels = [...emitted, ...dropped].some(({ channel }) => channel !== "");
  const emit = expectedEmit(parts, hasChannels);
  const isWhole = omitted.length === 0;
  const message = error && run.status === "error" ? { message: standIns.text(error.message) } : {};
  return [
    ...(error ? [assertion("subject.errors", "toEqual", [like({ name: error.name, ...message })])] : []),
    ...expectedResponse(parts),
    ...(isWhole
      ? [
          assertion(
            "subject.emits",
            "toEqual",
            emitted.map((each) => emit(each)),
          ),
        ]
      : []),
    ...(isWhole && (subject.dedupe !== undefined || dropped.length > 0)
      ? [
          assertion(
            "subject.deduped",
            "toEqual",
            dropped.map((each) => emit(each, { reason: each.reason })),
          ),
        ]
      : []),
    ...(isWhole ? expectedStored(parts) : []),
    ...(subject.kind === "workflow" ? [assertion(nameOf(run, "steps"), "toEqual", [...run.steps])] : []),
    ...(isWhole ? routes.map((route) => expectedRequest(route, parts)) : []),
  ];
}

/** What a reader has to know, as comment lines. */
function notesOf({ run, subject, standIns, routes }: Parts): string[] {
  const secrets =
    subject.props.some(({ secret }) => secret === true) || !isEmpty(subject.accounts) || standIns.isNeeded;
  return [
    ...(secrets
      ? [`Secrets are replaced by stand-ins: "${masked}", or "secret-1". A signature made with one differs.`]
      : []),
    ...(isEmpty(subject.dataStoresBefore)
      ? []
      : [
          "Data stores begin as far as they are known: small ones as they are now, without what the newest runs of this source have changed.",
        ]),
    ...(routes.some(({ calls }) => calls.some(({ isCut }) => isCut === true))
      ? ["The record has only the beginning of some bodies."]
      : []),
    ...run.omitted,
    ...subject.notes,
  ];
}

/** The text of a vitest file for `@x/testing` that repeats a run and expects what it did. */
export function madeTest(run: TestRun, subject: TestSubject): string {
  const standIns = findStandIns(run, subject);
  const { startedAt, endedAt } = run;
  const given = givenTexts(run, subject).map(standIns.text);
  const texts = [...given, ...[subject.dbBefore, subject.dataStoresBefore].map((each) => standIns.text(textOf(each)))];
  const own = [...subject.endpointKeys.map(standIns.text), ...subject.ids, run.id];
  const expected = expectedValues({ texts, given, startedAt, endedAt, own });
  const routes = testRoutes(run.calls, standIns);
  const parts = { run, subject, standIns, routes, expected };
  const { kind, file, name } = subject;
  const event = `const event = ${longLiteral(standIns.value(run.event), 0, 14)};`;
  const options = literal(new Call(kind, new Code("component"), optionsOf(parts)), depth, 20);
  const body = [`const subject = ${options};`, ...beforeRun(parts), ...theRun(parts), ...afterRun(parts)];
  const uses = [event, ...body].some((text) => text.includes("reply(")) ? `reply, ${kind}` : kind;
  const isUsed = body.some((text) => text.includes("expect(run."));
  const lines = isUsed ? body : body.map((text) => text.replace(/^const run = await /, "await "));
  return [
    `// Made from the run ${run.id} of ${inComment(name)}, ${isoOf(startedAt)}.`,
    ...notesOf(parts).map((note) => `// ${inComment(note)}`),
    `import { ${uses} } from "@x/testing/vitest";`,
    `import { expect, test } from "vitest";`,
    "",
    `import component from ${quoted(file)};`,
    "",
    event,
    "",
    `test(${quoted(titleOf(run, standIns))}, async () => {`,
    ...lines.map((line) => `  ${line}`),
    "});",
    "",
  ].join("\n");
}
