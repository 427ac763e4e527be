import { execFile } from "node:child_process";
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { gzipSync } from "node:zlib";

import { afterAll, beforeAll, expect, test } from "vitest";

import { answering, start } from "../deployment/program.ts";
import { freePort } from "../free-port.ts";
import { packAll } from "./tarballs.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const page = readFileSync(join(root, "docs/guides/embedding.md"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "x-next-"));
/** Ends what hangs, such as an installation without a network. */
const maxMs = 240_000;
const run = async (command: string, ...args: readonly string[]): Promise<void> => {
  await promisify(execFile)(command, args, { cwd: folder, env, timeout: maxMs, maxBuffer: 2 ** 26 });
};
/** What the machine's network needs, such as NODE_EXTRA_CA_CERTS, and nothing that the programs around this test have set. */
const isOfMachine = ([name]: readonly [string, unknown]): boolean =>
  !/^(?:NODE_ENV|NODE_OPTIONS|NODE_COMPILE_|VITEST|X_|npm_)/.test(name);
const env = {
  ...Object.fromEntries(Object.entries(process.env).filter(isOfMachine)),
  NEXT_TELEMETRY_DISABLED: "1",
};
const next = join(folder, "node_modules/next/dist/bin/next");

/** Next and what it needs are 340 MB, which `npm run test:packed` alone installs. */
const isMissing = process.env["X_TEST_MANAGERS"] === undefined;
if (isMissing) process.stderr.write("skipped: Next is installed by npm run test:packed alone\n");

/** Writes a file of the application. */
function write(path: string, text: string): void {
  mkdirSync(join(folder, dirname(path)), { recursive: true });
  writeFileSync(join(folder, path), text);
}

/** The files of the page, whose first line names them. */
const files = [...page.matchAll(/```text\n\/\/ (\S+)\n([^]*?)```/g)].map(([, path = "", text = ""]) => ({
  path,
  text,
}));

beforeAll(async () => {
  if (isMissing) return;
  write("package.json", '{ "type": "module", "private": true }');
  write("app/layout.js", "export default ({ children }) => <html><body>{children}</body></html>;");
  write("app/page.js", "export default () => <p>Hello</p>;");
  for (const { path, text } of files) write(path, text);
  // A route of the pages folder, which gets what node:http gives.
  write(
    "pages/api/hooks/[[...path]].js",
    `import { createRuntime } from "@x/runtime";
import { createApp, toNodeListener } from "@x/server";
const opened = () => (globalThis.hooks ??= (async () => {
  const runtime = await createRuntime({ publicUrl: process.env.X_PUBLIC_URL, apiKey: process.env.X_API_KEY });
  await runtime.start();
  return toNodeListener(createApp(runtime, { mountPath: "/api/hooks" }));
})());
export const config = { api: { bodyParser: false, externalResolver: true } };
export default async (request, response) => void (await opened())(request, response);
`,
  );
  const packed = await packAll(root, mkdtempSync(join(folder, "packed-")));
  const needed = packed.filter((file) => /x-(?:client|inspector|runtime|sandbox|server|types)-/.test(file));
  const flags = ["--no-audit", "--no-fund", "--prefer-offline"];
  await run("npm", "install", ...flags, "next@16", "react@19", "react-dom@19", ...needed);
  await run(process.execPath, next, "build");
}, 600_000);

afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Or the answer, where it is an error. */
async function statusOf(url: string): Promise<number | string> {
  const response = await fetch(url);
  return response.ok ? response.status : response.text();
}

const apiKey = "next-test-key-01";
const code = `export default { name: "Inbox", version: "1", props: { http: "$.interface.http" },
  run({ body, url }) { this.$emit({ body, url }); } };`;

test.skipIf(isMissing).each([
  ["start", "/events", "of the app folder, built"],
  ["start", "/api/hooks", "of the pages folder, built"],
  ["dev", "/events", "of the app folder, in development"],
] as const)("next %s: %s is a route %s, with its pages, bodies, streams and endpoints", async (mode, mount, _where) => {
  expect(files.map(({ path }) => path)).toEqual([
    "next.config.mjs",
    "lib/events.mjs",
    "app/events/[[...path]]/route.js",
  ]);
  const port = await freePort();
  const origin = `http://127.0.0.1:${port}`;
  const url = origin + mount;
  rmSync(join(folder, "data"), { recursive: true, force: true });
  await using server = start(process.execPath, [next, mode, "--port", String(port), "--hostname", "127.0.0.1"], {
    cwd: folder,
    group: true,
    env: { ...env, X_PUBLIC_URL: url, X_API_KEY: apiKey },
  });
  await answering(server, `${origin}/`);
  for (const path of ["healthz", "docs", "v1/openapi.json"])
    expect([path, await statusOf(`${url}/${path}`)], server.printed()).toEqual([path, 200]);

  const headers = { authorization: `Bearer ${apiKey}`, "content-type": "application/json" };
  const deployed = await fetch(`${url}/v1/sources`, {
    method: "POST",
    headers,
    body: JSON.stringify({ component_code: code }),
  });
  const { data } = (await deployed.json()) as {
    data: { id: string; configured_props: { http: { endpoint_url: string } } };
  };
  const endpoint = data.configured_props.http.endpoint_url;
  expect(endpoint.startsWith(`${url}/in/`)).toBe(true);
  const stream = await fetch(`${url}/v1/sources/${data.id}/sse`, { headers });
  const reader = stream.body?.getReader();
  const json = { "content-type": "application/json" };
  await fetch(`${endpoint}/a?b=1`, { method: "POST", headers: json, body: '{"n":1}' });
  await fetch(endpoint, { method: "PUT", headers: { ...json, "content-encoding": "gzip" }, body: gzipSync('{"n":2}') });
  let text = "";
  for (let part = await reader?.read(); part?.done === false; part = await reader?.read()) {
    text += Buffer.from(part.value).toString();
    if (text.includes('"n":2')) break;
  }
  await reader?.cancel();
  expect(text).toContain(`{"body":{"n":1},"url":"${endpoint}/a?b=1"}`);
  expect(text).toContain(`{"body":{"n":2},"url":"${endpoint}"}`);
});
