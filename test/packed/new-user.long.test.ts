import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, test } from "vitest";

import { withoutHolds } from "../faults/thread-holds.ts";
import { type LoopbackRelease, releaseOnLoopback } from "./loopback-release.ts";
import { type Visit, visit } from "./new-user.ts";
import { nodeFolders } from "./nodes.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));

let release: LoopbackRelease | undefined;

beforeAll(async () => {
  release = await releaseOnLoopback(root);
});
afterAll(() => release?.[Symbol.asyncDispose]());

/** Keeps what the user saw, to be read. */
function keep({ transcript }: Visit): void {
  const folder = join(root, "test/.tmp/transcripts");
  mkdirSync(folder, { recursive: true });
  const version = transcript[0]?.output.trim() ?? "";
  const text = transcript
    .map(({ command, output, code }) => `$ ${command}\n${output}(ended with ${code})\n\n`)
    .join("");
  writeFileSync(join(folder, `node-${version}.txt`), text);
}

/** What each command prints; every one ends with 0. */
const wanted: readonly (readonly [command: RegExp, output: RegExp])[] = [
  [/^node --version$/, /^v(?:22|24|26)\.\d+\.\d+\n$/],
  [/^npx --yes @x\/cli new stars /, /^Wrote stars: stars\.app\.js, stars\.js, stars\.test\.js, package\.json, /],
  [/^npm install$/, /^added \d+ packages in /m],
  [/^npm test$/, /Tests {2}1 passed \(1\)$/m],
  [/\/x dev stars\.js /, /^\d\d:\d\d:\d\d {2}stars +vitest \d\S* {2}\{"name":"vitest","version":"\d\S*"\}$/m],
  [/^npx @x\/cli sources run stars --to /, / {2}ok {2}1 emitted {2}\d+ ms$/m],
  [/\/x serve --port /, /^Serving on http:\/\/127\.0\.0\.1:\d+\/v1\n/],
  [/^npx @x\/cli apps add stars --oauth /, /^App stars: OAuth 2\n/],
  [
    /^npx @x\/cli accounts connect stars /,
    /^Account apn_\w+ of stars is connected\nUse it: x deploy FILE --account stars=apn_/m,
  ],
  [
    /^npx @x\/cli deploy me\.js --to http/,
    /^Created me {2}dc_\w+ {2}active\n[^]*^ {2}signing key {2}whsec_\S+ \(shown once\)$/m,
  ],
  [/^npx @x\/cli sources run me$/, / {2}ok {2}1 emitted {2}\d+ ms$/m],
  [/^npx @x\/cli sources run me --event /, / {2}ok {2}1 emitted {2}\d+ ms$/m],
  [/^npx @x\/cli events me$/, /^(?:\S+ \S+ {2}\{"who":"person-1234"\}\n){2}$/],
  [/^npx @x\/cli webhooks deliveries /, /^(?:.* {2}delivered {2}1 attempt {2}.* {2}204\n){2}$/],
];

describe.each(nodeFolders)("with Node of %s, a new user with nothing but npm", (nodeFolder) => {
  let seen: Visit;
  beforeAll(async () => {
    seen = await visit(nodeFolder, release?.url ?? "");
    keep(seen);
  });

  test("gets from x new over tests, x dev, x deploy and an account to delivered events", () => {
    expect(seen.transcript).toEqual(
      wanted.map(([command, output]) => ({
        command: expect.stringMatching(command) as unknown,
        output: expect.stringMatching(output) as unknown,
        code: 0,
        seconds: expect.anything() as unknown,
      })),
    );
  });

  test("sees no warnings and no stack traces of x", () => {
    const shown = seen.transcript.filter(({ command }) => command !== "npm install");
    const outputs = shown.map(({ output }) => withoutHolds(output));
    expect(outputs.filter((output) => /warn|deprecat|^ +at .*:\d+/im.test(output))).toEqual([]);
  });

  test("has a token that expires during a run renewed in it, and in the runs after", () => {
    const { asked, granted, refused } = seen;
    expect([granted[0], new Set(granted.slice(1)), refused]).toEqual([
      "authorization_code",
      new Set(["refresh_token"]),
      [],
    ]);
    const rejected = asked.findIndex(({ status }) => status === 401);
    const [old, renewed] = [asked[rejected]?.token, asked[rejected + 1]];
    expect(rejected).toBeGreaterThanOrEqual(0);
    expect(renewed).toEqual({ token: expect.not.stringMatching(old ?? "") as unknown, status: 200 });
    expect(asked.slice(rejected).map(({ token }) => token)).not.toContain(undefined);
    // The next run begins with a valid token.
    expect(asked.at(-1)).toMatchObject({ status: 200 });
    expect(asked.slice(rejected + 1).filter(({ token }) => token === old)).toEqual([]);
  });

  test("receives each event once, signed with the key that the deploy printed", () => {
    const { deliveries, signingKey } = seen;
    expect(deliveries.map(({ headers, body }) => new Webhook(signingKey).verify(body, headers))).toEqual([
      { who: "person-1234" },
      { who: "person-1234" },
    ]);
    expect(new Set(deliveries.map(({ headers }) => headers["webhook-id"])).size).toBe(2);
  });
});
