import { expect, test } from "vitest";

import { eventOf } from "./event-draft.ts";

const draft = { names: "", account: "", id: "", data: "{}" };

test("an event has the names, the address, the id and the data that are filled in", () => {
  expect(eventOf(draft)).toEqual({ names: [], data: {} });
  expect(
    eventOf({ names: "message, message:C1,", account: "team_id=T1, oauth_uid=a=b", id: " m1 ", data: "[1]" }),
  ).toEqual({
    names: ["message", "message:C1"],
    accounts: [{ team_id: "T1", oauth_uid: "a=b" }],
    id: "m1",
    data: [1],
  });
});

test("what cannot be read is refused", () => {
  expect(() => eventOf({ ...draft, account: "T1" })).toThrow("field=value");
  expect(() => eventOf({ ...draft, data: "{" })).toThrow("JSON");
});
