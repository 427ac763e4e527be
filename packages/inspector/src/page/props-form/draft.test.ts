import { expect, test } from "vitest";

import { differsFromDefault, draftOf, problemsOf, readDraft } from "./draft.ts";
import type { PropShape } from "./prop-shape.ts";

const props: readonly PropShape[] = [
  { name: "timer", type: "$.interface.timer", default: { intervalSeconds: 60 } },
  { name: "http", type: "$.interface.http" },
  { name: "acme", type: "app", app: "acme" },
  { name: "token", type: "string", secret: true },
  { name: "limit", type: "integer", min: 1, max: 10, default: 5 },
  { name: "names", type: "string[]", optional: true },
  { name: "filter", type: "object", optional: true },
  { name: "board", type: "string", remoteOptions: true },
  { name: "lists", type: "integer[]", remoteOptions: true, optional: true },
];
const before = {
  timer: { cron: null, interval_seconds: 60 },
  http: { endpoint_url: "http://x.test/in/k" },
  acme: { authProvisionId: "apn_1" },
  token: { __secret: true },
  limit: 3,
  names: ["a", "b"],
  filter: { a: 1 },
  board: { __lv: { label: "Board 1", value: "b1" } },
  lists: [{ __lv: { label: "L1", value: 1 } }, 2],
};
const draft = Object.fromEntries(
  props.map((prop) => [prop.name, draftOf(prop, before[prop.name as keyof typeof before])]),
);

test("a form that nobody has touched changes nothing", () => {
  expect(readDraft(props, draft, before)).toEqual({ changes: {}, problems: {} });
});

test("only what differs is sent; an empty field of an optional prop removes its value", () => {
  const touched = {
    ...draft,
    timer: { mode: "cron", seconds: "60", cron: "0 9 * * *", timezone: "Europe/Berlin" } as const,
    token: "new",
    limit: "7",
    names: ["", "c"],
    filter: "",
    board: [{ label: "b2", value: "b2" }],
    lists: [],
  };
  expect(readDraft(props, touched, before)).toEqual({
    changes: {
      timer: { cron: "0 9 * * *", timezone: "Europe/Berlin" },
      token: "new",
      limit: 7,
      names: ["c"],
      filter: null,
      board: "b2",
      lists: null,
    },
    problems: {},
  });
});

test("what cannot be is said at its field", () => {
  const wrong = {
    ...draft,
    limit: "11",
    filter: "{",
    board: [],
    token: "",
    timer: { ...(draft["timer"] as object), seconds: "0" },
  };
  const { problems } = readDraft(props, wrong as typeof draft, { ...before, token: undefined });
  expect(Object.keys(problems).toSorted()).toEqual(["board", "filter", "limit", "timer", "token"]);
  expect(problems["limit"]).toBe("Must be at most 10");
  expect(problems["board"]).toBe("board is required");
});

test("problems of an answer are those of their props", () => {
  const errors = [
    { path: "/configured_props/limit", message: "too large" },
    { path: "/configured_props/limit/0", message: "not whole" },
    { path: "/props/a~1b", message: "unknown" },
    { path: "/name", message: "too long" },
  ];
  expect(problemsOf(errors)).toEqual({ limit: "too large; not whole", "a/b": "unknown", "": "too long" });
});

test.each<[PropShape, unknown, boolean]>([
  [
    { name: "timer", type: "$.interface.timer", default: { intervalSeconds: 60 } },
    { cron: null, interval_seconds: 3600 },
    true,
  ],
  [
    { name: "timer", type: "$.interface.timer", default: { intervalSeconds: 60 } },
    { cron: null, interval_seconds: 60 },
    false,
  ],
  [{ name: "timer", type: "$.interface.timer" }, { cron: "0 9 * * *", interval_seconds: 0 }, true],
  [{ name: "timer", type: "$.interface.timer" }, { cron: null, interval_seconds: 3600 }, false],
  [{ name: "timer", type: "$.interface.timer", static: { cron: "0 9 * * *" } }, { cron: "0 9 * * *" }, false],
  [{ name: "limit", type: "integer", default: 5 }, 3, true],
  [{ name: "limit", type: "integer", default: 5 }, 5, false],
  [{ name: "limit", type: "integer", default: 5 }, undefined, false],
  [{ name: "limit", type: "integer" }, 3, false],
  [{ name: "names", type: "string[]", default: ["a"] }, ["a", "b"], true],
  [{ name: "names", type: "string[]", default: ["a"] }, ["a"], false],
  [{ name: "token", type: "string", secret: true, default: "a" }, { __secret: true }, false],
])("S56 whether %j hides its default behind %j: %s", (prop, stored, hides) => {
  expect(differsFromDefault(prop, draftOf(prop, stored))).toBe(hides);
});
