import { stripVTControlCharacters } from "node:util";

import type { Json } from "@x/runtime";
import { expect, test } from "vitest";

import { messageJson, messageText } from "./message-text.ts";
import type { DevMessage } from "./message.ts";

const of = { source: "dc_1", name: "inbox" };
const at = Date.parse("2026-01-01T10:20:30.000Z");
/** Without the colours and the time of day, which depend on where the test runs. */
const plain = (told: DevMessage): string =>
  stripVTControlCharacters(messageText(told, at, false)).replace(/^\d\d:\d\d:\d\d {2}/, "");

/** Standard output as a terminal of so many columns. */
function terminalOf(columns: number): Disposable {
  const { stdout } = process;
  const before = { isTTY: stdout.isTTY, columns: stdout.columns };
  Object.assign(stdout, { isTTY: true, columns });
  return { [Symbol.dispose]: () => void Object.assign(stdout, before) };
}

test("each message is one line, with the source in front", () => {
  expect(plain({ message: "event", ...of, id: "1-0", summary: "hello", event: { a: 1 } })).toBe(
    'inbox         hello  {"a":1}',
  );
  expect(plain({ message: "event", ...of, id: "1-0", channel: "urgent", event: 1 })).toBe("inbox         [urgent] 1");
  expect(plain({ message: "log", ...of, level: "warn", text: "two\nlines" })).toBe("inbox         warn  two lines");
  expect(plain({ message: "request", ...of, method: "POST", path: "/a?b=1", status: 202, duration_ms: 4 })).toBe(
    "inbox         POST /a?b=1  202  4 ms",
  );
  const run = { status: "ok", emitted: 1, deduped: 2, duration_ms: 3, cpu_ms: 0.5, response: null } as const;
  expect(plain({ message: "run", ...of, ...run })).toBe(
    "inbox         run ok  1 emitted, 2 dropped as duplicates  (3 ms, CPU 0.5 ms)",
  );
});

test("files are listed with what they have become, and with what they lack", () => {
  const file = {
    file: "a.js",
    source: "dc_1",
    name: "a",
    change: "new",
    endpoints: [],
    without_account: ["acme"],
  } as const;
  const place = { base_url: "http://127.0.0.1:7777/v1", api_key: "k", data: ".x/dev" };
  expect(
    plain({ message: "serving", ...place, files: [file, { file: "b.js", endpoints: [] }], resting: [] }),
  ).toContain(
    [
      "  a.js  a  dc_1, new",
      "    $auth of acme is empty: --accounts FILE, or x accounts add acme",
      "  b.js  not deployed yet",
    ].join("\n"),
  );
});

test("a change lists the other files, the differences and how new endpoints are called", () => {
  const told: DevMessage = {
    message: "changed",
    ...of,
    file: "inbox.js",
    files: ["inbox.js", "lib/a.js"],
    differences: ["prop http is new"],
    endpoints: ["http://127.0.0.1:7777/in/k"],
    without_account: ["acme"],
    recovered: false,
    duration_ms: 9,
  };
  expect(plain(told)).toBe(
    [
      "inbox.js updated  (lib/a.js)  9 ms",
      "    prop http is new",
      `    curl -H 'content-type: application/json' -d '{"message":"hello"}' http://127.0.0.1:7777/in/k`,
      "    $auth of acme is empty: --accounts FILE, or x accounts add acme",
    ].join("\n"),
  );
});

test("of many files that changed at once the first are listed", () => {
  const files = Array.from({ length: 200 }, (_, n) => `f${n}.js`);
  const none = { differences: [], endpoints: [], without_account: [], recovered: false, duration_ms: 9 };
  expect(plain({ message: "changed", ...of, file: "inbox.js", files, ...none })).toBe(
    "inbox.js updated  (f0.js, f1.js, f2.js, f3.js and 196 more)  9 ms",
  );
});

test("what others wrote cannot steer the terminal", () => {
  const error = { name: "Error", msg: "a\u001b[2J", stack: "" };
  expect(plain({ message: "error", ...of, error, frame: "1 | \u001b[2J" })).toBe(
    "inbox         ! Error: a\\x1b[2J\n    1 | \\x1b[2J",
  );
});

test("an error is printed with its cause and its line", () => {
  const stack = "TypeError: fetch failed\n    at run (a.js:1:2)\nCaused by: Request to http://a.test/ failed";
  const error = { name: "TypeError", msg: "fetch failed", stack };
  expect(plain({ message: "error", ...of, error, frame: "1 | fetch()" })).toBe(
    "inbox         ! TypeError: fetch failed\n    at run (a.js:1:2)\n    Caused by: Request to http://a.test/ failed\n    1 | fetch()",
  );
});

test("the response of a run is printed with status and body", () => {
  const run = { status: "ok", emitted: 0, deduped: 0, duration_ms: 3, cpu_ms: 0.5 } as const;
  const answered = (response: Json): string => plain({ message: "run", ...of, ...run, response });
  const headers = { "content-type": "application/json" };
  expect(answered({ status: 400, headers, body: '{"a":1}' })).toMatch(/\) {2}answered 400 \{"a":1\}$/);
  expect(answered({ status: 204, headers: {}, body: "" })).toMatch(/\) {2}answered 204$/);
});

test("for programs the same is one object with its time", () => {
  expect(JSON.parse(messageJson({ message: "note", text: "a" }, at))).toEqual({
    message: "note",
    text: "a",
    time: "2026-01-01T10:20:30.000Z",
  });
});

test("payloads fit the terminal, and the reason of a dropped event is printed in full", () => {
  using _columns = terminalOf(60);
  const long = { text: "x".repeat(200) };
  const event = plain({ message: "event", ...of, id: "1-0", event: long });
  expect([event.length, event.endsWith("x…")]).toEqual([50, true]);
  const because = `an event with id 1 ${"was there ".repeat(5)}before`;
  const [drop = "", why] = plain({ message: "drop", ...of, event: long, because }).split("\n");
  expect([drop.length, why]).toEqual([50, `    (${because})`]);
  const run = { status: "ok", emitted: 0, deduped: 0, duration_ms: 3, cpu_ms: 0.5, response: null } as const;
  const left = plain({ message: "run", ...of, ...run, exports: long }).split("\n")[1];
  expect(left).toHaveLength(60);
});
