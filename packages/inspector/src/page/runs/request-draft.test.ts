import { expect, test } from "vitest";

import { curlOf, draftOf, emptyDraft, eventOf } from "./request-draft.ts";

const event = {
  method: "PUT",
  path: "/hook",
  url: "http://x.test/in/key/hook?n=1&n=2",
  query: { n: ["1", "2"] },
  headers: { host: "x.test", "content-type": "application/json", "x-hub-signature-256": "sha256=old" },
  bodyRaw: '{"a": 1}',
  body: { a: 1 },
};

test("a received request is edited as a text, and its known signature is made anew", async () => {
  const draft = draftOf(event);
  expect(draft).toEqual({
    method: "PUT",
    path: "/hook?n=1&n=2",
    headers: "content-type: application/json\nx-hub-signature-256: sha256=old",
    body: '{"a": 1}',
    scheme: "github",
  });
  const edited = { ...emptyDraft, ...draft, body: "Hello, World!" };
  const sent = await eventOf(edited, "It's a Secret to Everybody", 0);
  expect(sent).toEqual({
    method: "PUT",
    path: "/hook",
    query: { n: ["1", "2"] },
    headers: {
      "content-type": "application/json",
      "x-hub-signature-256": "sha256=757107ea0eb2509fc211221cce984b8a37570b6d7586c22c46f4379c8b043e17",
    },
    bodyRaw: "Hello, World!",
  });
  expect(await eventOf(edited, "", 0)).toMatchObject({ headers: { "x-hub-signature-256": "sha256=old" } });
});

test("what is no request, or has bytes as its body, is not edited as one", () => {
  expect(draftOf({})).toBeUndefined();
  expect(draftOf(null)).toBeUndefined();
  expect(draftOf({ method: "POST", body_b64: "/w==" })).toBeUndefined();
});

test("a line that is no header is refused", async () => {
  await expect(eventOf({ ...emptyDraft, headers: "x-a: 1\nno colon" }, "", 0)).rejects.toThrow('"no colon"');
});

test("a request is copied as curl", () => {
  const headers = [["Host", "x.test"] as const, ["X-A", "it's"] as const];
  const request = { method: "POST", target: "/in/k?a=1", http_version: "1.1", headers, body: "{}" };
  expect(curlOf(request, "http://x.test/in/k")).toBe(
    `curl -X POST -H 'X-A: it'\\''s' --data-raw '{}' 'http://x.test/in/k?a=1'`,
  );
});
