import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { createRuntime } from "@x/runtime";
import { createApp, listen } from "@x/server";
import { expect, onTestFinished, test } from "vitest";

import { freePort } from "../free-port.ts";
import { answering, findProgram, isMissing, start } from "./program.ts";

const page = readFileSync(new URL("../../docs/scaling.md", import.meta.url), "utf8");

/** The block of the page below a line, with one node on loopback. */
function blockOf(name: string, port: number): string {
  const found = page.split(`\n${name}:\n\n\`\`\`text\n`)[1]?.split("\n```")[0] ?? "";
  return found.replace(/^.*\bnode[23]:7777.*\n?/gm, "").replace("node1:7777", `127.0.0.1:${port}`);
}

const haproxyOf = (listening: number, backend: string): string =>
  `defaults\n  mode http\n  timeout connect 10s\n  timeout client 1h\n  timeout server 1h
frontend f\n  bind 127.0.0.1:${listening}\n  default_backend x\n${backend}\n`;

function nginxOf(listening: number, block: string, folder: string): string {
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const server = block.replace("listen 80", `listen 127.0.0.1:${listening}`);
  return `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${paths.join(" ")}\n${server}\n}\n`;
}

async function checkThrough(
  name: string,
  args: readonly string[],
  make: typeof nginxOf,
  edit = (text: string) => text,
) {
  const folder = mkdtempSync(join(tmpdir(), "x-scaling-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  await using runtime = await createRuntime();
  await using server = await listen(createApp(runtime, { inspector: true }));
  const port = await freePort();
  const file = join(folder, "proxy.conf");
  writeFileSync(file, make(port, edit(blockOf(name, server.port)), folder));
  await using proxy = start(findProgram(name.toLowerCase()) ?? "", [...args, file]);
  const url = `http://127.0.0.1:${port}`;
  await answering(proxy, `${url}/healthz`);

  const document = await (await fetch(url)).text();
  const assets = [...document.matchAll(/(?:src|href)="([^"#:]+)"/g)].map(([, path = ""]) => path);
  expect(assets).not.toEqual([]);
  for (const path of assets) expect([path, (await fetch(new URL(path, url))).status]).toEqual([path, 200]);

  const code = `export default { name: "Inbox", version: "1", props: { http: "$.interface.http" }, run({ body }) { this.$emit(body); } };`;
  const { source } = await runtime.deploy({ code });
  const headers = { authorization: `Bearer ${(await runtime.user()).user.apiKey}` };
  const stream = await fetch(`${url}/v1/sources/${source.id}/sse`, { headers });
  const { pathname } = new URL(Object.values(source.endpoints)[0] ?? "");
  const numbers = Array.from({ length: 100 }, (_, index) => index);
  for (const body of numbers.map((n) => JSON.stringify({ mark: `<${n}>` })))
    expect(
      (await fetch(url + pathname, { method: "POST", headers: { "content-type": "application/json" }, body })).status,
    ).toBe(200);
  let text = "";
  for await (const chunk of stream.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes("<99>")) break;
  }
  expect([...text.matchAll(/<(\d+)>/g)].map(([, n]) => Number(n))).toEqual(numbers);
}

test.skipIf(isMissing("haproxy"))("the HAProxy of the page passes pages, events and streams on", () =>
  checkThrough("HAProxy", ["-db", "-f"], haproxyOf),
);

test.skipIf(isMissing("haproxy"))("so does HAProxy with its default check", () =>
  checkThrough("HAProxy", ["-db", "-f"], haproxyOf, (text) => text.replace(" GET /healthz", "")),
);

test.skipIf(isMissing("nginx"))("the nginx of the page passes pages, events and streams on", () =>
  checkThrough("nginx", ["-c"], nginxOf),
);
