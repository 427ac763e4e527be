import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";

import { freePort } from "../free-port.ts";
import { answering, findProgram, isMissing, type Running, start } from "./program.ts";

const textOf = (path: string): string => readFileSync(new URL(`../../${path}`, import.meta.url), "utf8");

/** The block of a page below a line that begins with the name and ends with a colon. */
export function blockOf(page: "operations" | "scaling", name: string): string {
  const found = new RegExp(`\\n${name}\\b[^\\n]*:\\n\\n\`\`\`text\\n([^]*?)\\n\`\`\``).exec(textOf(`docs/${page}.md`));
  if (!found?.[1]) throw new Error(`docs/${page}.md has no block of ${name}`);
  return found[1];
}

/** The path of the blocks below "Below a path". */
export const mountPath = "/tools/x";

/** The same with the nodes on these ports; the block has three. */
function withNodes(block: string, ports: readonly number[]): string {
  const kept = block.replace(/^ .*\bnode([123]):7777.*\n?/gm, (line, number: string) =>
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

const oneNode = (block: string, nodes: readonly number[]): string =>
  block.replaceAll("127.0.0.1:7777", `127.0.0.1:${nodes[0]}`);

/** The second backend, in which no request comes, has the check of HAProxy's default: `OPTIONS / HTTP/1.0`. */
function haproxyConfig({ port, nodes, prefix, folder }: Wanted): string {
  const head = `global
  stats socket ${folder}/stats
defaults
  mode http
  timeout connect 10s
  timeout client 1h
  timeout server 1h
`;
  const several = withNodes(blockOf("scaling", "HAProxy"), nodes);
  const silent = several
    .replace("backend x", "backend silent")
    .replace("option httpchk GET /healthz", "option httpchk");
  if (prefix === "none")
    return `${head}frontend f\n  bind 127.0.0.1:${port}\n  default_backend x\n${several}\n${silent}\n`;
  const below = oneNode(blockOf("operations", "HAProxy"), nodes).replace("bind :80", `bind 127.0.0.1:${port}`);
  return `${head}${prefix === "removed" ? below : below.replace(/^.*replace-path.*\n/m, "")}\n`;
}

function nginxConfig({ port, nodes, prefix, folder }: Wanted): string {
  const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  const below = blockOf("operations", "nginx").replace("http://x;", prefix === "removed" ? "http://x/;" : "http://x;");
  const whole = withNodes(blockOf("scaling", "nginx"), nodes).replace("listen 80", `listen 127.0.0.1:${port}`);
  const server = prefix === "none" ? whole : whole.replace(/ {2}location \/ \{[^]*?\n {2}\}/, below);
  return `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${paths.join(" ")}
${server}
}
`;
}

function caddyConfig({ port, nodes, prefix }: Wanted): string {
  const site = `http://127.0.0.1:${port}`;
  const below = oneNode(blockOf("operations", "Caddy"), nodes);
  const server =
    prefix !== "none"
      ? `${site} {\n${prefix === "removed" ? below.replace("handle ", "handle_path ") : below}\n}\n`
      : nodes.length > 1
        ? withNodes(blockOf("scaling", "Caddy"), nodes).replace("hooks.example.com", site)
        : textOf("deploy/Caddyfile")
            .replace("{$X_DOMAIN:localhost}", site)
            .replace("{$X_UPSTREAM:127.0.0.1:7777}", `127.0.0.1:${nodes[0]}`);
  return `{\n\tadmin off\n}\n${server}`;
}

/** The proxies that docs/ and deploy/ configure: their file, and their command line for it. */
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
  /** What its checks say of each node: HAProxy alone. */
  checks(): Promise<string[]>;
}

/** The column `check_status` of the servers in HAProxy's statistics, after `BACKEND/SERVER `. */
async function readChecks(socket: string): Promise<string[]> {
  const connection = connect(socket);
  connection.end("show stat\n");
  const [head = "", ...lines] = (await text(connection)).trim().split("\n");
  const names = head.replace(/^# /, "").split(",");
  const rows = lines.map((line) => line.split(","));
  const cell = (row: readonly string[], name: string): string => row[names.indexOf(name)] ?? "";
  return rows
    .filter((row) => !["FRONTEND", "BACKEND"].includes(cell(row, "svname")))
    .map((row) => ["pxname", "svname", "status", "check_status"].map((name) => cell(row, name)).join(" "));
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
  const url = `http://127.0.0.1:${port}${prefix === "none" ? "" : mountPath}`;
  await answering(running, `${url}/healthz`);
  return {
    url,
    running,
    checks: async () => (name === "haproxy" ? await readChecks(join(folder, "stats")) : []),
    async [Symbol.asyncDispose]() {
      await running[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
