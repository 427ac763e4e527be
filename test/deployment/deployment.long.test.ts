import { execFileSync } from "node:child_process";
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";

import { createRuntime } from "@x/runtime";
import { createApp, listen } from "@x/server";
import { describe, expect, onTestFinished, test } from "vitest";

import { freePort } from "../free-port.ts";
import { blockOf } from "./proxies.ts";
import { answering, findProgram, isMissing, start, succeeds } from "./program.ts";

const root = fileURLToPath(new URL("../..", import.meta.url));
const fileOf = (name: string): string => readFileSync(join(root, "deploy", name), "utf8");
const x = join(root, "packages/cli/dist/main.js");

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), "x-deployment-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Directives of the Dockerfile, with their arguments. */
const directives = fileOf("Dockerfile")
  .replaceAll("\\\n", " ")
  .split("\n")
  .filter((line) => /^[A-Z]/.test(line))
  .map((line) => {
    const [, name = "", rest = ""] = /^([A-Z]+)\s+(.*)$/.exec(line) ?? [];
    return { name, rest };
  });
const all = (name: string): string[] => directives.filter((each) => each.name === name).map(({ rest }) => rest);
const list = (text: string): string[] => JSON.parse(/\[.*\]/.exec(text)?.[0] ?? "[]") as string[];

/** A shell in which nothing but these folders can be written, as in a container with `--read-only`. */
const readOnly = (writable: string, command: string): string =>
  [
    "mount --make-rprivate /",
    `mount --bind ${writable} ${writable}`,
    "mount -t tmpfs tmpfs /dev/shm",
    "mount -o remount,bind,ro /",
    `exec setpriv --reuid 65534 --regid 65534 --clear-groups --no-new-privs --bounding-set -all ${command}`,
  ].join(" && ");

const noNamespaces = isMissing("unshare", () =>
  succeeds("unshare", "-m", "sh", "-c", "mount --make-rprivate / && mount -o remount,bind,ro / && setpriv --version"),
);

describe("the image", () => {
  test("is made of the packages as they are published, without scripts, and runs as a user of its own", () => {
    const packages = ["cli", "inspector", "postgres", "runtime", "server"].map((name) => `/packed/*-${name}-*.tgz`);
    expect(all("RUN").map((command) => command.replace(/ +/g, " "))).toEqual([
      "sh scripts/pack.sh /packed",
      `npm install --omit=dev --ignore-scripts --no-audit --no-fund --prefix /opt/x ${packages.join(" ")}`,
      "install -d -o node -g node -m 700 /data",
    ]);
    // The same command as in the test of the packed packages.
    expect(readFileSync(join(root, "scripts/pack.sh"), "utf8")).toContain(
      'pnpm@12.21.0 --config.pnpmfile=scripts/published-manifest.mjs --filter "./packages/*" --filter "!@x/model" --filter "!@x/store" --filter "!@x/components" --filter "!@x/accounts" --filter "!@x/http" --filter "!@x/resources" pack --pack-destination "$1"',
    );
    expect(all("USER")).toEqual(["node"]);
    expect(all("STOPSIGNAL")).toEqual(["SIGTERM"]);
    expect(list(all("ENTRYPOINT")[0] ?? "")).toEqual(["x"]);
    const { engines } = JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8")) as {
      engines: { node: string };
    };
    const [, major = ""] = /node:(\d+)-/.exec(all("ARG")[0] ?? "") ?? [];
    expect(engines.node).toContain(`^${major}.`);
  });

  test.skipIf(noNamespaces)(
    "its command serves with a read-only root and no rights, is healthy, and ends with 0 on SIGTERM",
    async () => {
      const port = await freePort();
      // Not in /tmp, which the container has in memory.
      mkdirSync(join(root, "test/.tmp"), { recursive: true });
      const data = mkdtempSync(join(root, "test/.tmp/image-"));
      onTestFinished(() => rmSync(data, { recursive: true, force: true }));
      chownSync(data, 65534, 65534);
      const own = (text: string): string => text.replaceAll("7777", String(port)).replaceAll("/data", data);
      const command = [process.execPath, x, ...list(all("CMD").find((each) => each.includes("serve")) ?? "").map(own)];
      expect(command).toContain("--json-logs");
      const env = { NODE_ENV: "production", HOME: data, TMPDIR: "/dev/shm" };
      await using service = start("unshare", ["-m", "sh", "-c", readOnly(data, command.join(" "))], { cwd: root, env });
      await answering(service, `http://127.0.0.1:${port}/healthz`);
      expect(readFileSync(`/proc/${service.child.pid}/status`, "utf8")).toMatch(/^Uid:\t65534\t[^]*^CapEff:\t0+$/m);

      const [health = "", ...healthArgs] = list(all("HEALTHCHECK")[0] ?? "").map(own);
      expect(health).toBe("node");
      expect(succeeds(process.execPath, ...healthArgs)).toBe(true);
      service.child.kill("SIGTERM");
      expect(await service.exit).toBe(0);
      expect(succeeds(process.execPath, ...healthArgs)).toBe(false);
      expect(readdirSync(data)).toEqual(expect.arrayContaining(["x.db", "x.key", "x.lock"]));
    },
  );

  const noEngine = isMissing("docker", () => succeeds("docker", "info"));

  test.skipIf(!noEngine)("without an engine, the script that builds it says so", () => {
    const script = ["-c", `sh ${join(root, "deploy/build-image.sh")} 2>&1; echo "code $?"`];
    expect(execFileSync("sh", script, { encoding: "utf8" })).toBe(
      "error: no Docker engine answers; start one, or install x with npm (deploy/x.service)\ncode 4\n",
    );
  });

  test.skipIf(noEngine)("is built, healthy and stops, where there is an engine", () => {
    const printed = execFileSync("sh", [join(root, "deploy/build-image.sh"), "x-test"], { encoding: "utf8" });
    expect(printed).toContain("x-test: built, healthy with a read-only root, and ends on SIGTERM");
  });

  // The first version of Compose, which Debian has, refuses the name of the project alone.
  const second = succeeds("docker", "compose", "version");

  test.skipIf(!second && isMissing("docker-compose")).each([
    ["deploy/compose.yaml", () => fileOf("compose.yaml")],
    ["docs/scaling.md", () => blockOf("scaling", "Compose")],
  ])("the compose file of %s is valid", (_name, read) => {
    const file = join(makeFolder(), "compose.yaml");
    writeFileSync(file, second ? read() : read().replace(/^name: x\n/m, ""));
    const [command, ...more] = second ? ["docker", "compose"] : ["docker-compose"];
    const args = [...more, "--file", file, "config", "--quiet"];
    const env = { ...process.env, X_DOMAIN: "hooks.example.com", X_API_KEY: "key", X_SECRET_KEY: "secret" };
    expect(execFileSync(command, args, { env, encoding: "utf8" })).toBe("");
  });
});

/** The status that the kubelet's probe gets, or "refused". */
async function probe(port: number): Promise<number | "refused"> {
  const headers = { "user-agent": "kube-probe/1.34", accept: "*/*", connection: "close" };
  return await fetch(`http://127.0.0.1:${port}/healthz`, { headers }).then(
    ({ status }) => status,
    () => "refused",
  );
}

test("Kubernetes: the pod of docs/scaling.md serves, is well for both probes, and ends in its time", async () => {
  const block = blockOf("scaling", "Kubernetes");
  const listed = (name: string): string[] =>
    (new RegExp(`${name}: \\[(.*?)\\]`).exec(block)?.[1] ?? "").split(", ").map((word) => word.replaceAll('"', ""));
  const probes = [...block.matchAll(/(\w+)Probe: \{ httpGet: \{ path: (\S+), port: (\d+) \}/g)];
  expect(probes.map(([, kind, path, port]) => [kind, path, port])).toEqual([
    ["readiness", "/healthz", "7777"],
    ["liveness", "/healthz", "7777"],
  ]);
  const port = await freePort();
  const args = listed("args").map((arg) => arg.replace("7777", String(port)).replace("/tmp/x", makeFolder()));
  expect(args).toContain(String(port));
  await using pod = start(process.execPath, [x, ...args], { env: { X_API_KEY: "kubernetes-key-01" } });
  await answering(pod, `http://127.0.0.1:${port}/healthz`);
  expect(await probe(port)).toBe(200);
  const [program = "", seconds = ""] = listed("command");
  expect(program).toBe("sleep");
  const grace = Number(/^terminationGracePeriodSeconds: (\d+)$/m.exec(block)?.[1]);
  // The wait of preStop, 10 s for runs and requests, and time to spare.
  expect(grace).toBeGreaterThanOrEqual(Number(seconds) + 20);
  pod.child.kill("SIGTERM");
  expect(await pod.exit).toBe(0);
  expect(await probe(port)).toBe("refused");
});

describe("the unit of systemd", () => {
  const unit = fileOf("x.service");
  const value = (name: string): string => new RegExp(`^${name}=(.*)$`, "m").exec(unit)?.[1] ?? "";

  test("starts the x that npm installs in its working folder, which serves and ends with 0 on SIGTERM", async () => {
    const [program = "", ...args] = value("ExecStart").split(" ");
    const manifest = JSON.parse(readFileSync(join(root, "packages/cli/package.json"), "utf8")) as { bin: object };
    expect(Object.keys(manifest.bin).map((name) => `${value("WorkingDirectory")}/node_modules/.bin/${name}`)).toEqual([
      program,
    ]);
    expect(value("KillMode")).toBe("mixed");
    const port = await freePort();
    const data = join(makeFolder(), "data");
    const own = args.map((arg) => arg.replace("7777", String(port)).replace("/var/lib/x", data));
    expect(own).toEqual(expect.arrayContaining([String(port), data]));
    await using service = start(join(root, "x"), own, { cwd: makeFolder() });
    await answering(service, `http://127.0.0.1:${port}/healthz`);
    service.child.kill("SIGTERM");
    expect(await service.exit).toBe(0);
  });

  test.skipIf(isMissing("systemd-analyze"))("is valid, and leaves the service few rights", () => {
    const file = join(makeFolder(), "x.service");
    writeFileSync(file, unit.replaceAll("/opt/x/node_modules/.bin/x", join(root, "x")));
    expect(execFileSync("systemd-analyze", ["verify", file], { encoding: "utf8" })).toBe("");
    const judged = execFileSync("systemd-analyze", ["security", "--offline=true", file], { encoding: "utf8" });
    expect(Number(/exposure level for x\.service: ([\d.]+)/.exec(judged)?.[1])).toBeLessThan(2);
  });
});

/** A service with an endpoint, behind a proxy whose files are in `folder`. */
async function serveBehind(
  publicUrl: string,
): Promise<
  AsyncDisposable & { readonly port: number; readonly path: string; readonly id: string; readonly key: string }
> {
  const runtime = await createRuntime({ workers: 0, publicUrl });
  const app = createApp(runtime, { inspector: { hosts: [new URL(publicUrl).hostname] } });
  const server = await listen(app, { port: 0 });
  await runtime.start();
  const code = `export default { name: "Inbox", version: "1", props: { http: "$.interface.http" },
    run({ body, headers }) { this.$emit({ body, host: headers.host }); } };`;
  const { source } = await runtime.deploy({ code });
  const { user } = await runtime.user();
  return {
    port: server.port,
    path: new URL(Object.values(source.endpoints)[0] ?? "").pathname,
    id: source.id,
    key: user.apiKey,
    async [Symbol.asyncDispose]() {
      await server.close();
      await runtime.close();
    },
  };
}

/** What a stream receives through the proxy, while it is open, of a request to an endpoint. */
async function proxied(url: string, service: Awaited<ReturnType<typeof serveBehind>>): Promise<string> {
  const headers = { authorization: `Bearer ${service.key}` };
  const stream = await fetch(`${url}/v1/sources/${service.id}/sse`, { headers });
  expect(stream.headers.get("content-type")).toContain("text/event-stream");
  const sent = await fetch(url + service.path, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: '{"through":"proxy"}',
  });
  expect(sent.status).toBe(200);
  let text = "";
  for await (const chunk of stream.body ?? []) {
    text += Buffer.from(chunk).toString();
    if (text.includes("through")) break;
  }
  return text;
}

describe("proxies", () => {
  test.skipIf(isMissing("nginx") || isMissing("openssl"))("nginx passes requests and streams on", async () => {
    const folder = makeFolder();
    const [plain, tls] = [await freePort(), await freePort()];
    const subject = ["-subj", "/CN=hooks.example.com", "-keyout", "key.pem", "-out", "chain.pem", "-days", "2"];
    execFileSync("openssl", ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...subject], {
      cwd: folder,
      stdio: "ignore",
    });
    await using service = await serveBehind(`http://127.0.0.1:${plain}`);
    const block = fileOf("nginx.conf")
      .replace("127.0.0.1:7777", `127.0.0.1:${service.port}`)
      .replace(/^\s*listen \[.*\n/gm, "")
      .replaceAll("listen 443", `listen 127.0.0.1:${tls}`)
      .replaceAll("listen 80", `listen 127.0.0.1:${plain}`)
      .replace(/\/etc\/letsencrypt\/live\/hooks\.example\.com\/fullchain\.pem/, join(folder, "chain.pem"))
      .replace(/\/etc\/letsencrypt\/live\/hooks\.example\.com\/privkey\.pem/, join(folder, "key.pem"));
    // The checks of certificates are those of clients: behind the proxy, plain requests do.
    const open = block.replace(/ ssl http2;/, ";").replace(/^\s*ssl_.*\n/gm, "");
    const paths = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map(
      (name) => `${name}_temp_path ${folder}/${name};`,
    );
    const whole = (server: string): string =>
      `daemon off; master_process off; pid ${folder}/pid; error_log stderr; events {} http { access_log off; ${paths.join(" ")}\n${server}\n}`;
    const file = join(folder, "nginx.conf");
    const nginx = findProgram("nginx") ?? "";
    writeFileSync(file, whole(block));
    expect(succeeds(nginx, "-t", "-c", file)).toBe(true);

    writeFileSync(file, whole(open));
    await using proxy = start(nginx, ["-c", file]);
    const url = `http://127.0.0.1:${tls}`;
    await answering(proxy, `${url}/healthz`);
    expect(await proxied(url, service)).toContain(`"host":"127.0.0.1:${new URL(url).port}"`);
    const moved = await fetch(`http://127.0.0.1:${plain}/healthz`, { redirect: "manual" });
    expect([moved.status, moved.headers.get("location")]).toEqual([301, "https://127.0.0.1/healthz"]);
  });

  test.skipIf(isMissing("caddy"))("Caddy passes requests and streams on", async () => {
    const folder = makeFolder();
    const [port, admin] = [await freePort(), await freePort()];
    const url = `http://127.0.0.1:${port}`;
    await using service = await serveBehind(url);
    const env = {
      HOME: folder,
      CADDY_ADMIN: `127.0.0.1:${admin}`,
      X_DOMAIN: url,
      X_UPSTREAM: `127.0.0.1:${service.port}`,
    };
    const args = ["run", "--config", join(root, "deploy/Caddyfile"), "--adapter", "caddyfile"];
    await using proxy = start(findProgram("caddy") ?? "", args, { cwd: folder, env });
    await answering(proxy, `${url}/healthz`);
    expect(await proxied(url, service)).toContain(`"host":"127.0.0.1:${new URL(url).port}"`);
  });
});
