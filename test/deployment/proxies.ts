import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { freePort } from "../free-port.ts";
import { answering, findProgram, isMissing, type Running, start } from "./program.ts";

const page = readFileSync(new URL("../../docs/scaling.md", import.meta.url), "utf8");

/** The block of the page below a line such as `nginx:`. */
const blockOf = (name: string): string =>
  new RegExp(`\\n${name}\\b[^\\n]*:\\n\\n\`\`\`text\\n([^]*?)\\n\`\`\``).exec(page)?.[1] ?? "";

/** The same with the nodes on these ports; the block has three. */
function withNodes(block: string, ports: readonly number[]): string {
  const kept = block.replace(/^.*\bnode([123]):7777.*\n?/gm, (line, number: string) =>
    Number(number) > ports.length ? "" : line,
  );
  return kept.replaceAll(/\bnode([123]):7777/g, (_, number: string) => `127.0.0.1:${ports[Number(number) - 1]}`);
}

/** What a proxy makes of the path below which the nodes are. */
export type Prefix = "none" | "kept" | "removed";

interface Wanted {
  /** Where the proxy listens. */
  readonly port: number;
  readonly nodes: readonly number[];
  readonly prefix: Prefix;
  /** For files of the proxy. */
  readonly folder: string;
}

function haproxyConfig({ port, nodes, prefix, folder }: Wanted): string {
  const remove = prefix === "removed" ? "\n  http-request replace-path /hooks(/.*)? \\1" : "";
  return `global
  stats socket ${folder}/stats
defaults
  mode http
  timeout connect 10s
  timeout client 1h
  timeout server 1h
frontend f
  bind 127.0.0.1:${port}
  default_backend x
${withNodes(blockOf("HAProxy"), nodes)}${remove}
`;
}

function nginxConfig({ port, nodes, prefix, folder }: Wanted): string {
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const block = withNodes(blockOf("nginx"), nodes).replace("listen 80", `listen 127.0.0.1:${port}`);
  const below = prefix === "none" ? block : block.replace("location / {", "location /hooks/ {");
  const server = prefix === "removed" ? below.replace("proxy_pass http://x;", "proxy_pass http://x/;") : below;
  return `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${paths.join(" ")}
${server}
}`;
}

/** Before one node: the page has no configuration of Caddy for several. */
function caddyConfig({ port, nodes, prefix }: Wanted): string {
  const file = readFileSync(new URL("../../deploy/Caddyfile", import.meta.url), "utf8")
    .replace("{$X_DOMAIN:localhost}", `http://127.0.0.1:${port}`)
    .replace("{$X_UPSTREAM:127.0.0.1:7777}", `127.0.0.1:${nodes[0]}`);
  const removing = prefix === "removed" ? "\turi strip_prefix /hooks\n\treverse_proxy" : "\treverse_proxy";
  return `{\n\tadmin off\n}\n${file.replace("\treverse_proxy", removing)}`;
}

/** The proxies that docs/scaling.md and deploy/ configure: their file, and their command line for it. */
export const proxies = {
  haproxy: { config: haproxyConfig, args: (file: string) => ["-db", "-f", file] },
  nginx: { config: nginxConfig, args: (file: string) => ["-c", file] },
  caddy: { config: caddyConfig, args: (file: string) => ["run", "--config", file, "--adapter", "caddyfile"] },
} as const;
export type ProxyName = keyof typeof proxies;

/** Those that are not installed here, which is printed. */
export const missingProxies = new Set((Object.keys(proxies) as ProxyName[]).filter((name) => isMissing(name)));

export interface Proxy extends AsyncDisposable {
  readonly url: string;
  readonly running: Running;
}

/** Starts a proxy before nodes that answer already. */
export async function startProxy(
  name: ProxyName,
  nodes: readonly number[],
  prefix: Prefix,
  at?: number,
): Promise<Proxy> {
  const folder = mkdtempSync(join(tmpdir(), "x-proxy-"));
  const port = at ?? (await freePort());
  const file = join(folder, "config");
  const { config, args } = proxies[name];
  writeFileSync(file, config({ port, nodes, prefix, folder }));
  const running = start(findProgram(name) ?? "", args(file), { cwd: folder, env: { HOME: folder } });
  const url = `http://127.0.0.1:${port}${prefix === "none" ? "" : "/hooks"}`;
  await answering(running, `${url}/healthz`);
  return {
    url,
    running,
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
