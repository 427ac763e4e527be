import { afterAll, beforeAll, expect, it } from "vitest";

import { openTrial, runText, type Trial } from "../runtime.cases.ts";

let trial: Trial;
let id: string;
beforeAll(async () => {
  trial = await openTrial();
  id = (await trial.deploy(runText("this.$emit(event)"))).source.id;
});
afterAll(() => trial.runtime.close());

type Method = Exclude<keyof Trial["runtime"], symbol>;

it.each<[method: Method, given: (id: string) => unknown[], message: string]>([
  [
    "deploy",
    () => [{ code: "", nam: "a" }],
    '"nam" must be one of componentId, key, code, files, entry, url, file, root, name, props,',
  ],
  ["deploy", () => [{ code: "", nam: "a" }], '(did you mean "name"?), got an unknown name.'],
  ["deploy", () => [{ code: "", props: [] }], '"props" must be an object of props by their names, got a list.'],
  ["deploy", () => ["code"], '"parameters" must be an object with parameters, got "code".'],
  ["deploy", () => [{ code: "", settings: { warmm: true } }], '"settings.warmm" must be one of runTimeoutMs,'],
  ["update", (of) => [of, { ignoreHookError: true }], '(did you mean "ignoreHookErrors"?), got an unknown name.'],
  ["delete", (of) => [of, { force: true }], '"force" must be one of ignoreHookErrors, got an unknown name.'],
  [
    "invoke",
    (of) => [of, { evnt: 1 }],
    '"evnt" must be one of event, tickAt, httpProp, wait, force (did you mean "event"?)',
  ],
  ["invoke", (of) => [of, { wait: "no" }], '"wait" must be true or false, got "no".'],
  ["saveComponent", () => [{ codes: "" }], '(did you mean "code"?)'],
  ["configure", () => [{ id: "sc_1", propname: "a" }], '(did you mean "propName"?)'],
  [
    "dynamicProps",
    () => [{ id: "sc_1", configured: {} }],
    '"configured" must be one of id, sourceId, configuredProps,',
  ],
  ["workflow", () => [{ handlr: () => 1 }], '(did you mean "handler"?)'],
  ["sources", () => [{ limits: 10 }], '(did you mean "limit"?)'],
  ["storedEvents", (of) => [of, "emits", { limit: 1, befor: "1-0" }], '(did you mean "before"?)'],
  ["deleteEvents", (of) => [of, "emits", { strt: "1-0" }], '"strt" must be one of start, end (did you mean "start"?)'],
  ["subscribe", (of) => [{ emitterId: of, listnerId: of }], '(did you mean "listenerId"?)'],
  ["autoSubscribe", (of) => [{ event_name: "", listenerId: of }], '(did you mean "eventName"?)'],
  ["createWebhook", () => [{ url: "https://a.test", formt: "event" }], '(did you mean "format"?)'],
  ["updateWebhook", () => ["wh_1", { actve: true }], '(did you mean "active"?)'],
  ["createAccount", () => [{ app: "a", auth: {}, nme: "" }], '(did you mean "name"?)'],
  ["updateAccount", () => ["apn_1", { app: "b" }], '"app" must be one of name, auth'],
  ["deleteAccount", () => ["apn_1", { forc: true }], '(did you mean "force"?)'],
  ["addUser", () => [{ username: "a", mail: "a@b" }], '(did you mean "email"?)'],
  [
    "addUser",
    () => [{ username: "a", billing: { start: 1 } }],
    '"billing.start" must be one of periodStart, periodEnd',
  ],
  ["publish", () => [{ file: "a.js", registri: "b" }], '(did you mean "registry"?)'],
  ["request", () => ["/in/x", { methd: "GET" }], '(did you mean "method"?)'],
  ["request", () => ["/in/x", { body: "text" }], '"body" must be a Uint8Array, got "text".'],
  ["close", () => [{ drainms: 1 }], '(did you mean "drainMs"?)'],
])("%s refuses what it does not know: %s", async (method, given, message) => {
  const call = async (): Promise<unknown> =>
    Reflect.apply(trial.runtime[method] as () => unknown, undefined, given(id));
  await expect(call()).rejects.toThrow(message);
  await expect(call()).rejects.toMatchObject({ code: "invalid_parameter" });
});

it("refuses invalid event filters at once, and everyUser for one user", () => {
  const sourceID = { sourceID: id } as object;
  expect(() => trial.runtime.events(sourceID)).toThrow('(did you mean "sourceId"?)');
  const everyUser = { everyUser: true } as object;
  expect(() => trial.runtime.as(trial.runtime.firstUserId).events(everyUser)).toThrow('"everyUser" must be one of');
});

it("reports every problem, with its path", async () => {
  await expect(trial.runtime.deploy({ code: "", nam: "a", active: 1 } as object)).rejects.toMatchObject({
    details: {
      parameter: "nam",
      received: "an unknown name",
      errors: [{ path: "/nam" }, { path: "/active" }],
    },
  });
});
