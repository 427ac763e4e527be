import { expect, test } from "vitest";

import { encodeNews, joinNews, type News, parseNews } from "./news.ts";

const event = (emitterId: string, ms: number): NonNullable<Exclude<News["events"], true>>[number] => ({
  emitterId,
  stream: "$errors",
  first: { ms, seq: 3 },
});

test("news arrive as they were sent", () => {
  const news: News = { moves: true, mail: [3, "n_2"], triggers: [7], events: [event("dc_1", 5)] };
  expect(parseNews(encodeNews("n_1", news))).toEqual({ from: "n_1", news });
  expect(parseNews(encodeNews("n_1", {}))).toEqual({ from: "n_1", news: {} });
});

test("news that do not fit in a notification are announced without their names", () => {
  const events = Array.from({ length: 500 }, (_, n) => event(`dc_${n}`, n));
  expect(parseNews(encodeNews("n_1", { events, triggers: [1] }))?.news).toEqual({ events: true, triggers: [1] });
  const mail = Array.from({ length: 3_000 }, (_, n) => `n_${n}`);
  expect(parseNews(encodeNews("n_1", { mail, events, triggers: [1] }))?.news).toEqual({
    mail: true,
    events: true,
    triggers: true,
  });
});

test("joined news name each stream by its first event, and everything once", () => {
  const joined = joinNews(
    { mail: [1, "n_1"], events: [event("dc_1", 5), event("dc_2", 9)] },
    { moves: true, mail: [1, 2], triggers: [4], events: [event("dc_1", 6), event("dc_2", 8)] },
  );
  expect(joined).toEqual({
    moves: true,
    mail: [1, "n_1", 2],
    triggers: [4],
    events: [event("dc_1", 5), event("dc_2", 8)],
  });
  expect(joinNews({ events: true }, { events: [event("dc_1", 1)], mail: true })).toEqual({ events: true, mail: true });
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
])("the notification %j of another session is no news", (text) => {
  expect(parseNews(text)).toBeUndefined();
});
