import { expect, test } from "vitest";

import { encodeAnnouncement, joinAnnouncements, type Announcement, parseAnnouncement } from "./announcement.ts";

const event = (emitterId: string, ms: number): NonNullable<Exclude<Announcement["events"], true>>[number] => ({
  emitterId,
  stream: "$errors",
  first: { ms, seq: 3 },
});

test("announcement arrive as they were sent", () => {
  const announcement: Announcement = { moves: true, messages: [3, "n_2"], triggers: [7], events: [event("dc_1", 5)] };
  expect(parseAnnouncement(encodeAnnouncement("n_1", announcement))).toEqual({ from: "n_1", announcement });
  expect(parseAnnouncement(encodeAnnouncement("n_1", {}))).toEqual({ from: "n_1", announcement: {} });
});

test("announcement that do not fit in a notification are announced without their names", () => {
  const events = Array.from({ length: 500 }, (_, n) => event(`dc_${n}`, n));
  expect(parseAnnouncement(encodeAnnouncement("n_1", { events, triggers: [1] }))?.announcement).toEqual({
    events: true,
    triggers: [1],
  });
  const messages = Array.from({ length: 3_000 }, (_, n) => `n_${n}`);
  expect(parseAnnouncement(encodeAnnouncement("n_1", { messages, events, triggers: [1] }))?.announcement).toEqual({
    messages: true,
    events: true,
    triggers: true,
  });
});

test("joined announcement name each stream by its first event, and everything once", () => {
  const joined = joinAnnouncements(
    { messages: [1, "n_1"], events: [event("dc_1", 5), event("dc_2", 9)] },
    { moves: true, messages: [1, 2], triggers: [4], events: [event("dc_1", 6), event("dc_2", 8)] },
  );
  expect(joined).toEqual({
    moves: true,
    messages: [1, "n_1", 2],
    triggers: [4],
    events: [event("dc_1", 5), event("dc_2", 8)],
  });
  expect(joinAnnouncements({ events: true }, { events: [event("dc_1", 1)], messages: true })).toEqual({
    events: true,
    messages: true,
  });
});

test.each([
  "",
  "hello",
  "null",
  "5",
  "[]",
  "{}",
  '{"f":1}',
  '{"f":"n_1","m":5}',
  '{"f":"n_1","t":"all"}',
  '{"f":"n_1","e":[1]}',
  '{"f":"n_1","e":[["dc_1",0]]}',
])("the notification %j of another session is no announcement", (text) => {
  expect(parseAnnouncement(text)).toBeUndefined();
});

test("changes with more names than any notification holds are announced without them", () => {
  const triggers = (from: number, count: number): Announcement => ({
    triggers: Array.from({ length: count }, (_, n) => from + n),
  });
  expect(joinAnnouncements(triggers(0, 500), triggers(400, 500))).toEqual(triggers(0, 900));
  expect(joinAnnouncements(triggers(0, 500), triggers(500, 501))).toEqual({ triggers: true });
});
