import { postJson, type Answer, type Scenario, tick } from "../scenario.ts";

const videos: Answer = ({ url }, count) => {
  if (count === 2)
    return { status: 403, body: { error: { code: 403, message: "quota", errors: [{ reason: "quotaExceeded" }] } } };
  const isSecond = new URL(url).searchParams.get("pageToken") === "P2";
  const item = {
    id: { videoId: isSecond ? "v2" : "v1" },
    snippet: { title: "T ü", publishedAt: "2026-01-01T00:00:00Z" },
  };
  return { body: { items: [item], ...(!isSecond && { nextPageToken: "P2" }) } };
};

const calendar: Answer = ({ url }, count) => {
  if (count === 2) return { status: 410, body: { error: { code: 410, message: "Sync token is no longer valid" } } };
  const token = new URL(url).searchParams.get("syncToken");
  return {
    body: {
      items: [{ id: `e${count}`, updated: "2026-01-02T00:00:00Z", summary: `From ${token}` }],
      nextSyncToken: `s${count}`,
    },
  };
};

const drive: Answer = ({ url }) => {
  const { pathname } = new URL(url);
  if (pathname.endsWith("/startPageToken")) return { body: { startPageToken: "11" } };
  if (pathname.endsWith("/watch")) return { body: { id: "ch", resourceId: "res" } };
  if (pathname.endsWith("/stop")) return { status: 204 };
  if (pathname.endsWith("/changes"))
    return { body: { changes: [{ fileId: "f 1", time: "2026-01-01T00:00:00Z" }], newStartPageToken: "12" } };
  return { headers: { "content-type": "text/plain" }, body: "Inhalt ü" };
};

const token = { oauth_access_token: "g-t" };

export const withGoogle: readonly Scenario[] = [
  {
    title: "YouTube's newest videos are searched by page tokens",
    component: "google/new-videos.mjs",
    packages: ["@googleapis/youtube"],
    props: { query: "ä & b" },
    auth: { youtube: token },
    steps: [tick, tick],
    upstream: videos,
  },
  {
    title: "rows of a sheet are read and a row is appended",
    component: "google/new-rows.mjs",
    packages: ["@googleapis/sheets"],
    props: { spreadsheetId: "sh-1" },
    auth: { sheets: token },
    steps: [tick, tick],
    upstream: ({ method }, count) => {
      if (method === "POST") return { body: { updates: { updatedRows: 1, count } } };
      return { body: count === 0 ? { values: [["a", "1"], ["b"]] } : {} };
    },
  },
  {
    title: "a calendar's changes are followed, and a sync token may end",
    component: "google/changed-events.mjs",
    packages: ["@googleapis/calendar"],
    auth: { calendar: token },
    steps: [tick, tick],
    upstream: calendar,
  },
  {
    title: "a drive is watched through a channel",
    component: "google/changed-files.mjs",
    packages: ["@googleapis/drive", "uuid"],
    auth: { drive: token },
    steps: [postJson({}, { "x-goog-channel-id": "ch" }), postJson({}, { "x-goog-channel-id": "another" })],
    upstream: drive,
  },
];
