import { expect, test } from "vitest";

import { componentWarnings } from "./shape-warnings.ts";
import { parseShape } from "./shape.ts";

const fn = { $function: true };
const valid = { name: "Feed", version: "0.1.0", run: fn };
const messages = (members: object): string[] =>
  componentWarnings({ ...valid, ...members }).map(({ rule, path, message }) => `${rule} ${path} ${message}`);
const timerMessages = (timer: object): string[] =>
  messages({ props: { timer: { type: "$.interface.timer", ...timer } } });

test("a component in order has no warnings, with everything that the format knows and members of the author's own", () => {
  const app = {
    type: "app",
    app: "acme",
    methods: { get: fn },
    helper: fn,
    propDefinitions: { board: { type: "string", options: fn } },
  };
  const members = {
    key: "acme-feed",
    description: "Emits",
    type: "source",
    dedupe: "unique",
    props: {
      acme: app,
      board: { propDefinition: [app, "board", fn], optional: true, default: "b" },
      db: "$.service.db",
      http: { type: "$.interface.http", customResponse: true },
      timer: { type: "$.interface.timer", default: { cron: "0 9 * * *", timezone: "UTC" } },
      count: { type: "integer", min: 1, max: 3, default: 2 },
      names: { type: "string[]", secret: true, options: ["a"], default: ["a"] },
    },
    hooks: { deploy: fn, activate: fn, deactivate: fn },
    methods: { list: fn, limit: 3 },
    additionalProps: fn,
    sampleEmit: { id: 1 },
    annotations: { readOnlyHint: true },
    ourTeam: "feeds",
  };
  expect(messages(members)).toEqual([]);
  expect(parseShape(JSON.stringify({ ...valid, ...members }), "a.js").warnings).toBeUndefined();
});

test("members that nothing reads are named with what they are nearly called", () => {
  expect(messages({ hook: { deploy: fn }, methds: { a: fn }, dedup: "unique", fetchAll: fn, activate: fn })).toEqual([
    'unknown-member /hook hook is no member of components, so nothing reads it (did you mean "hooks"?)',
    'unknown-member /methds methds is no member of components, so nothing reads it (did you mean "methods"?)',
    'unknown-member /dedup dedup is no member of components, so nothing reads it (did you mean "dedupe"?)',
    "outside-of-methods /fetchAll fetchAll is a function outside of methods, so there is no this.fetchAll: move it into methods: { … }",
    "outside-of-hooks /activate activate outside of hooks is never called: write hooks: { activate() { … } }",
  ]);
  expect(messages({ hooks: { onDeploy: fn, init: fn } })).toEqual([
    'unknown-hook /hooks/onDeploy hooks.onDeploy is never called: the hooks are deploy, activate and deactivate (did you mean "deploy"?)',
    "unknown-hook /hooks/init hooks.init is never called: the hooks are deploy, activate and deactivate",
  ]);
  expect(messages({ props: { list: "string" }, methods: { list: fn } })).toEqual([
    'method-hidden /methods/list Method "list" has the name of a prop, which hides it: this.list is the prop; rename one of them',
  ]);
});

test("fields of props that nothing reads are named, also those of a definition that is referred to", () => {
  const app = { type: "app", app: "acme", propDefinitions: { board: { type: "string", lable: "Board" } } };
  const props = {
    token: { type: "string", defualt: "a", requierd: true, min: 3, default: 5 },
    board: { propDefinition: [app, "board"] },
    list: { type: "string", default: fn, label: fn },
    object: { type: "object", secret: true, default: [] },
    flag: { type: "boolean", customResponse: true, default: "true" },
  };
  expect(messages({ props }).map((line) => line.replace(/^\S+ /, ""))).toEqual([
    '/props/token/defualt defualt of prop "token" is not a field of props, so nothing reads it',
    '/props/token/requierd requierd of prop "token" is not a field of props, so nothing reads it',
    '/props/token/min min of prop "token" has no effect: it is for numbers, and this is string',
    '/props/token/default default of prop "token" must be a string, got 5: the component gets it unchanged',
    '/props/board/lable lable of prop "board" is not a field of props, so nothing reads it (did you mean "label"?)',
    '/props/list/default default of prop "list" is a function, which is not called: give a value, or read what is missing in run',
    '/props/list/label label of prop "list" is a function, which is not called: give a value',
    '/props/object/secret secret of prop "object" has no effect: it is for strings, and this is object',
    '/props/object/default default of prop "object" must be an object, got an empty array: the component gets it unchanged',
    '/props/flag/customResponse customResponse of prop "flag" has no effect: it is for $.interface.http, and this is boolean',
    '/props/flag/default default of prop "flag" must be true or false, got "true": the component gets it unchanged',
  ]);
});

test("a schedule is only read where it stands, and by its names", () => {
  expect(timerMessages({ default: { interval: 60 } })).toEqual([
    'unknown-timer-field /props/timer/default/interval interval in default of timer "timer" is not a field of timers, so nothing reads it and the timer runs every hour (did you mean intervalSeconds?)',
  ]);
  expect(timerMessages({ static: { cron: "0 9 * * *", tz: "Europe/Berlin" } })).toEqual([
    'unknown-timer-field /props/timer/static/tz tz in static of timer "timer" is not a field of timers, so nothing reads it (did you mean timezone?)',
  ]);
  expect(timerMessages({ intervalSeconds: 60, every: 5 })).toEqual([
    'unknown-prop-field /props/timer/intervalSeconds intervalSeconds of timer "timer" is not read there: write default: { intervalSeconds: … }',
    'unknown-prop-field /props/timer/every every of timer "timer" is not read there: write default: { intervalSeconds: … }',
  ]);
  expect(timerMessages({ default: { intervalMinutes: 5 } })[0]).toContain(
    "(did you mean intervalSeconds, in seconds?)",
  );
});
