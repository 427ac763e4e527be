import { expect, test } from "vitest";

import { type RunningHere, runHere, startHere } from "../run-here.cases.ts";
import { makeFolder } from "../spawned.cases.ts";

const serve = (cwd: string, ...more: readonly string[]): RunningHere =>
  startHere(["serve", "--port", "0", "--data", "data", "--api-key", "k", ...more], { cwd });

async function stop(x: RunningHere): Promise<void> {
  x.hear("SIGTERM");
  expect(await x.exit).toBe(0);
}

/** Status and body of a sign-in. */
async function signIn(url: URL, body: object): Promise<[status: number, key: unknown]> {
  const headers = { "content-type": "application/json" };
  const answer = await fetch(new URL("/v1/sessions", url), { method: "POST", headers, body: JSON.stringify(body) });
  const { data } = (await answer.json()) as { data?: { session_key: string } };
  return [answer.status, data?.session_key];
}

test("x serve prints a link to the inspector, whose token signs in once", async () => {
  await using folder = await makeFolder();
  await using x = serve(folder.path);
  const [, link = ""] = await x.printed(/^Inspector \(link works once, for 30 minutes\): (\S+)$/m);
  const url = new URL(link);
  expect(await (await fetch(url)).text()).toContain("<title>x inspector</title>");
  const token = new URLSearchParams(url.hash.replace(/^#\/sign-in\?/, "")).get("token");
  const [status, key] = await signIn(url, { token });
  expect(status).toBe(200);
  const me = await fetch(new URL("/v1/users/me", url), { headers: { authorization: `Bearer ${String(key)}` } });
  expect(me.status).toBe(200);
  expect(await signIn(url, { token })).toEqual([401, undefined]);
  await stop(x);
});

test("x inspector link prints a new link, with the API key of the first user alone", async () => {
  await using folder = await makeFolder();
  await using x = serve(folder.path);
  const [, base = ""] = await x.printed(/^Serving on (\S+)\/v1$/m);
  const link = (key: string, ...more: readonly string[]) =>
    runHere(["inspector", "link", "--url", base, "--api-key", key, ...more], { cwd: folder.path });
  const { code, out } = await link("k");
  expect([code, out]).toEqual([
    0,
    expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/#\/sign-in\?token=[\w-]{32}\n$/) as string,
  ]);
  const token = out.trim().split("token=")[1];
  const [status, session] = await signIn(new URL(base), { token });
  expect(status).toBe(200);
  expect(await signIn(new URL(base), { token })).toEqual([401, undefined]);
  const shown = JSON.parse((await link("k", "--json")).out) as { url: string; expires_at: number };
  expect(shown).toMatchObject({ url: expect.stringContaining("/#/sign-in?token=") as string });
  const body = JSON.stringify({ username: "ada" });
  const headers = { authorization: "Bearer k", "content-type": "application/json" };
  const added = await fetch(new URL("/v1/users", base), { method: "POST", headers, body });
  const { data } = (await added.json()) as { data: { api_key: string } };
  for (const key of [data.api_key, String(session), "wrong"]) {
    const refused = await link(key);
    expect([refused.code === 0, refused.out]).toEqual([false, ""]);
  }
  await stop(x);
});

test("--no-inspector serves no page and no sign-in, and prints no link", async () => {
  await using folder = await makeFolder();
  await using x = serve(folder.path, "--no-inspector");
  const [, base = ""] = await x.printed(/^Serving on (\S+)\/v1$/m);
  expect(x.out()).not.toContain("Inspector");
  expect((await fetch(base)).status).toBe(404);
  expect(await signIn(new URL(base), { api_key: "k" })).toEqual([404, undefined]);
  const link = await runHere(["inspector", "link", "--url", base, "--api-key", "k"], { cwd: folder.path });
  expect([link.code === 0, link.out]).toEqual([false, ""]);
  await stop(x);
});

test("the inspector answers under the host of --public-url", async () => {
  await using folder = await makeFolder();
  await using x = serve(folder.path, "--public-url", "https://hooks.example.com", "--json-logs");
  const [, link = ""] = await x.printed(/"inspector_url":"([^"]+)"/);
  expect(link).toMatch(/^https:\/\/hooks\.example\.com\/#\/sign-in\?token=/);
  await stop(x);
});

test("S43 --mount-path puts everything below a path without a public URL", async () => {
  await using folder = await makeFolder();
  await using x = serve(folder.path, "--mount-path", "/tools/x/");
  const [, base = ""] = await x.printed(/^Serving on (\S+)\/v1$/m);
  const [, link = ""] = await x.printed(/^Inspector \(.*\): (\S+)$/m);
  expect(new URL(base).pathname).toBe("/tools/x");
  expect(link.startsWith(`${base}/#/sign-in?token=`)).toBe(true);
  for (const path of ["/", "/docs", "/healthz", "/v1/openapi.json"])
    expect([path, (await fetch(base + path)).status]).toEqual([path, 200]);
  await stop(x);
});

test.each([
  [["--mount-path", "tools"], '--mount-path must be a path such as /x, got "tools"'],
  [["--mount-path", "/"], '--mount-path must be a path such as /x, got "/"'],
  [["--mount-path", "/a b"], '--mount-path must be a path such as /x, got "/a b"'],
  [
    ["--mount-path", "/a", "--public-url", "https://example.com/b"],
    '--mount-path must be the path of --public-url (https://example.com/b), got "/a"',
  ],
])("S43 %j is refused", async (more, message) => {
  await using folder = await makeFolder();
  const { code, err } = await runHere(["serve", "--port", "0", ...more], { cwd: folder.path });
  expect([code, err]).toEqual([2, expect.stringContaining(message) as string]);
});
