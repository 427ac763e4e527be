import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";

import { afterAll, afterEach, beforeAll, expect, test, vi } from "vitest";

import { failure } from "../../bundle.cases.ts";
import { createEngine } from "../../../../runtime/src/engine.ts";
import { openTrial, type Trial } from "../../../../runtime/src/runtime.cases.ts";
import { startTestRegistry, type TestRegistry } from "../registry.cases.ts";
import { publicRegistry } from "./npm-options.ts";

const folder = mkdtempSync(join(tmpdir(), "npm-configuration-"));
let registry: TestRegistry;

beforeAll(async () => {
  registry = await startTestRegistry();
});
// Each test has its own engine: an install process keeps the environment that it was started with.
afterEach(() => {
  vi.unstubAllEnvs();
});
afterAll(async () => {
  await registry.close();
  rmSync(folder, { recursive: true });
});

const importing = (name: string): string =>
  `import it from "${name}"; export default { name: "Feed", version: "1", run() { this.$emit(it); } };`;

async function emitted(name: string, on: Trial): Promise<unknown> {
  const { source } = await on.deploy(importing(name));
  await on.runtime.invoke(source.id);
  return (await on.payloads(source.id)).at(-1);
}

test("a private registry of a scope is read with the token of the user's npmrc", async () => {
  await using own = await startTestRegistry();
  own.publish("@private/thing", "1.0.0", `module.exports = "secret";`);
  const tokens: (string | undefined)[] = [];
  own.intercept(({ headers }, response) => {
    tokens.push(headers.authorization);
    if (headers.authorization === "Bearer t0ken") return false;
    response.writeHead(401).end("{}");
    return true;
  });
  const npmrc = join(folder, "npmrc");
  vi.stubEnv("npm_config_userconfig", npmrc);
  writeFileSync(npmrc, `@private:registry=${own.url}\n${own.url.replace("http:", "")}:_authToken=t0ken\n`);
  await using engine = await createEngine({ workers: 0 });
  const reader = await openTrial({ engine, packages: { registry: registry.url, cache: join(folder, "private") } });
  expect(await emitted("@private/thing", reader)).toBe("secret");
  expect(new Set(tokens)).toEqual(new Set(["Bearer t0ken"]));
  expect(registry.requests).toEqual([]);
  await reader.runtime.close();

  writeFileSync(npmrc, `@private:registry=${own.url}\n`);
  const stranger = await openTrial({ engine, packages: { registry: registry.url, cache: join(folder, "stranger") } });
  const error = await failure(stranger.deploy(importing("@private/thing")));
  expect(error.code).toBe("package_unresolved");
  expect(error.message).toContain("check the token in your npmrc");
  await stranger.runtime.close();
});

test("packages come through the proxy of the npm configuration", async () => {
  const name = "behind";
  registry.publish(name, "1.0.0", `module.exports = "through";`);
  const asked: string[] = [];
  const proxy = createServer(({ url = "" }, response) => {
    asked.push(url);
    const { pathname } = new URL(url);
    void fetch(new URL(pathname, registry.url)).then(async (answer) => {
      const text = Buffer.from(await answer.arrayBuffer());
      // Archives are on the same host as the registry.
      response.end(pathname.endsWith(".tgz") ? text : text.toString().replaceAll(registry.url, "http://npm.example/"));
    });
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  vi.stubEnv("npm_config_proxy", `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  try {
    const packages = { registry: "http://npm.example/", cache: join(folder, "proxied") };
    const behind = await openTrial({ workers: 0, packages });
    expect(await emitted(name, behind)).toBe("through");
    await behind.runtime.close();
    expect(asked).toContain(`http://npm.example/${name}/-/${name}-1.0.0.tgz`);
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
});

test("a package without integrity is refused from the public registry, and accepted from a configured one", async () => {
  await using own = await startTestRegistry();
  const names = ["bare", "@private/bare"];
  for (const name of names) {
    const tarball = `${own.url}${name}/-/bare-1.0.0.tgz`;
    own.publish(name, "1.0.0", `module.exports = "unchecked";`, { dist: { tarball } });
  }
  await using engine = await createEngine({ workers: 0 });
  const owner = await openTrial({ engine, packages: { registry: own.url, cache: join(folder, "own") } });
  for (const name of names) expect(await emitted(name, owner)).toBe("unchecked");
  await owner.runtime.close();

  // A man in the middle that poses as the public registry.
  const proxy = createServer(({ url = "" }, response) => {
    const path = url.startsWith("/") ? url : new URL(url).pathname;
    void fetch(new URL(path, own.url)).then(async (answer) => response.end(Buffer.from(await answer.arrayBuffer())));
  });
  proxy.listen(0, "127.0.0.1");
  await once(proxy, "listening");
  vi.stubEnv("npm_config_proxy", `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`);
  vi.stubEnv("npm_config_noproxy", "127.0.0.1");
  const npmrc = join(folder, "scoped-npmrc");
  writeFileSync(npmrc, `@private:registry=${own.url}\n`);
  vi.stubEnv("npm_config_userconfig", npmrc);
  try {
    const packages = { registry: publicRegistry.replace("https:", "http:"), cache: join(folder, "shown") };
    const shown = await openTrial({ workers: 0, packages });
    const error = await failure(shown.deploy(importing("bare")));
    expect([error.code, error.details["chain"]]).toEqual(["package_integrity", ["component.js", "bare@1.0.0"]]);
    expect(error.message).toContain("its registry lists no integrity for its archive");
    expect(await emitted("@private/bare", shown)).toBe("unchecked");
    await shown.runtime.close();
  } finally {
    proxy.closeAllConnections();
    proxy.close();
  }
});
