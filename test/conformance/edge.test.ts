import { expect, test } from "vitest";

import { createRuntime } from "@x/runtime";
import { createApp } from "@x/server";

import { apiKey, component, endpointPath, startService } from "./fixture.ts";

const authorization = `Bearer ${apiKey}`;
const page = "https://app.example.com";

test("3.1 429 requests beyond the limit of a key are rate_limited, with Retry-After", async () => {
  await using service = await startService({}, { app: { rateLimit: { perSecond: 0.01, burst: 2 } } });
  expect((await service.call("GET", "/users/me")).status).toBe(200);
  expect((await service.call("GET", "/nowhere")).status).toBe(404);
  expect((await service.call("GET", "/users/me", undefined, { authorization: "Bearer wrong" })).status).toBe(401);
  expect((await service.call("GET", "/users/me/sources")).status).toBe(200);
  const reply = await service.call("GET", "/users/me");
  expect([reply.status, reply.body.code, reply.body.error]).toEqual([
    429,
    "rate_limited",
    expect.stringContaining("s."),
  ]);
  expect(Number(reply.headers.get("retry-after"))).toBeGreaterThan(50);
  expect((await fetch(`${service.url}/healthz`)).status).toBe(200);
  expect((await service.call("GET", "/users/me", undefined, { authorization: "Bearer wrong" })).status).toBe(401);
});

test("G34 429 each endpoint has its own count, and refused requests never run", async () => {
  await using service = await startService({}, { app: { rateLimit: { perSecond: 0.01, burst: 10 } } });
  const code = component({ props: 'http: "$.interface.http"', run: "this.$emit(event.query.n)" });
  const [one, two] = [await service.deploy(code), await service.deploy(code)];
  const statuses: number[] = [];
  for (let n = 0; n < 12; n++) statuses.push((await service.hit(one, `?n=${n}`)).status);
  expect(statuses).toEqual([...Array.from({ length: 10 }, () => 200), 429, 429]);
  const refused = await service.hit(one);
  expect([refused.status, Number(refused.headers.get("retry-after")) > 50]).toEqual([429, true]);
  expect((await service.hit(two, "?n=0")).status).toBe(200);
  await service.runtime.idle();
  expect(await service.emitted(one.id)).toHaveLength(10);
});

test("3.1 without an option there is no limit, and pages of other origins cannot read answers", async () => {
  await using service = await startService();
  const ask = (method: string): Promise<Response> =>
    fetch(`${service.url}/v1/users/me`, {
      method,
      headers: { authorization, origin: page, "access-control-request-method": "GET" },
    });
  const [got, asked] = [await ask("GET"), await ask("OPTIONS")];
  expect([got.status, asked.status]).toEqual([200, 405]);
  for (const { headers } of [got, asked]) {
    expect([...headers.keys()].filter((name) => name.startsWith("access-control"))).toEqual([]);
  }
});

test("3.1 only pages of the origins in the option may make requests", async () => {
  await using service = await startService({}, { app: { cors: { origins: [page, "http://localhost:5173"] } } });
  const ask = async (method: string, origin: string, path = "/users/me", key = authorization): Promise<Response> =>
    fetch(`${service.url}/v1${path}`, {
      method,
      headers: {
        origin,
        ...(method === "OPTIONS" ? { "access-control-request-method": "PATCH" } : { authorization: key }),
      },
    });
  const allowed = (response: Response): string | null => response.headers.get("access-control-allow-origin");

  const preflight = await ask("OPTIONS", page, "/sources/dc_1");
  expect([preflight.status, allowed(preflight), preflight.headers.get("access-control-allow-methods")]).toEqual([
    204,
    page,
    "GET, HEAD, PUT, PATCH, DELETE",
  ]);
  expect(preflight.headers.get("access-control-allow-headers")).toBe("authorization, content-type, last-event-id");
  const got = await ask("GET", page);
  expect([got.status, allowed(got), got.headers.get("vary")]).toEqual([200, page, "origin"]);
  expect(got.headers.get("access-control-allow-credentials")).toBeNull();
  const refused = await ask("GET", page, "/users/me", "Bearer wrong");
  expect([refused.status, allowed(refused)]).toEqual([401, page]);

  for (const origin of ["https://app.example.com.evil.test", "https://evil.test", "null", "http://app.example.com"]) {
    const [stranger, asked] = [await ask("GET", origin), await ask("OPTIONS", origin)];
    expect([allowed(stranger), stranger.headers.get("vary"), asked.status], origin).toEqual([null, "origin", 405]);
  }
  expect((await ask("OPTIONS", page, "/nowhere")).status).toBe(404);
});

test("G37 cross-origin headers of a component are sent unchanged", async () => {
  await using service = await startService({}, { app: { cors: { origins: [page] } } });
  const code = component({
    props: 'http: { type: "$.interface.http", customResponse: true }',
    run: 'this.http.respond({ status: 200, headers: { "access-control-allow-origin": "https://own.example" } })',
  });
  const source = await service.deploy(code);
  const response = await fetch(service.url + endpointPath(source), { headers: { origin: page } });
  expect(response.headers.get("access-control-allow-origin")).toBe("https://own.example");
});

test("invalid options are refused when the app is created", async () => {
  await using runtime = await createRuntime({});
  for (const origin of ["app.example.com", "https://app.example.com/", "https://app.example.com/path", "null", ""]) {
    expect(() => createApp(runtime, { cors: { origins: [origin] } }), origin).toThrow("cors.origins");
  }
  expect(() => createApp(runtime, { rateLimit: { perSecond: 0 } })).toThrow("rateLimit.perSecond");
});
