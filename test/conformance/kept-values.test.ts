import { afterAll, beforeAll, expect, test } from "vitest";

import { component, type Data, type Service, type SourceBody, startService } from "./fixture.ts";

let service: Service;
beforeAll(async () => {
  service = await startService();
});
afterAll(() => service[Symbol.asyncDispose]());

interface Warned extends SourceBody {
  readonly warnings?: readonly { readonly rule: string; readonly path: string; readonly message: string }[];
}

const timer = (more: string): string => `timer: { type: "$.interface.timer"${more} },`;
const every = (seconds: number): string => `, default: { intervalSeconds: ${seconds} }`;
const code = (props: string): string => component({ name: "Kept", props });
const change = async (
  { id }: { readonly id: string },
  body: object,
  method: "PATCH" | "PUT" = "PATCH",
): Promise<Warned> => {
  const reply = await service.call<Data<Warned>>(method, `/sources/${id}`, body);
  expect(reply.status, JSON.stringify(reply.body)).toBe(200);
  return reply.body.data;
};
const shownTimer = (seconds: number): object => ({ cron: null, interval_seconds: seconds });

test("S56 a new default of a timer is not taken: the answer and the logs say so, and null takes it", async () => {
  const source = await service.deploy(code(timer(every(3_600))));
  const kept = await change(source, { component_code: code(timer(every(60))) });
  expect(kept.configured_props).toMatchObject({ timer: shownTimer(3_600) });
  const stored = { stored: shownTimer(3_600), default: shownTimer(60) };
  expect(kept.warnings).toEqual([
    {
      rule: "stored-value-kept",
      path: "/props/timer",
      message: expect.stringContaining("set timer to null to take the default (--props timer=null)"),
      ...stored,
    },
  ]);
  expect((await service.events(source.id, "$logs/")).map(({ event }) => event)).toMatchObject([
    { k: "console.warn", msg: expect.stringContaining('Prop "timer" keeps its stored value {"cron":null,"interval_s') },
  ]);
  const taken = await change(source, { configured_props: { timer: null } });
  expect(taken.configured_props).toMatchObject({ timer: shownTimer(60) });
  expect(taken).not.toHaveProperty("warnings");
});

const of = (more: string) => `limit: { type: "integer"${more} },`;

const changes: readonly (readonly [string, string, object, string, object | undefined])[] = [
  ["an integer", of(", default: 10"), { limit: 5 }, of(", default: 20"), { stored: 5, default: 20 }],
  ["no default", of(""), { limit: 5 }, of(", default: 20"), { stored: 5, default: 20 }],
  [
    "a cron",
    timer(", default: { cron: '0 9 * * *' }"),
    {},
    timer(", default: { cron: '0 9 * * *', timezone: 'Europe/Paris' }"),
    {},
  ],
  ["the default of all timers", timer(""), {}, timer(every(60)), { default: shownTimer(60) }],
  ["a default that is gone", timer(every(60)), {}, timer(""), { stored: shownTimer(60), default: shownTimer(3_600) }],
  [
    "a secret",
    'token: { type: "string", secret: true, default: "a" },',
    { token: "hidden-token" },
    'token: { type: "string", secret: true, default: "b" },',
    { stored: { __secret: true }, default: "b" },
  ],
  ["a value that nobody has stored", of(", default: 10"), {}, of(", default: 20"), undefined],
  ["a value that is the new default", of(", default: 10"), { limit: 20 }, of(", default: 20"), undefined],
  [
    "the same default",
    of(", default: 10"),
    { limit: 5 },
    `${of(", default: 10")} more: { type: "string", optional: true }`,
    undefined,
  ],
  ["the same schedule", timer(every(60)), {}, timer(", label: 'Often', default: { intervalSeconds: 60 }"), undefined],
  ["a value of the code", of(", default: 10"), { limit: 20 }, of(", static: 20"), undefined],
];

test.each(changes)("S56 what is warned of: %s", async (_what, before, props, after, warned) => {
  const source = await service.deploy(code(before), props);
  for (const method of ["PATCH", "PUT"] as const) {
    await change(source, { component_code: code(before) });
    const { warnings = [] } = await change(source, { component_code: code(after) }, method);
    expect(warnings).toMatchObject(warned ? [{ rule: "stored-value-kept", ...warned }] : []);
    expect(JSON.stringify(warnings)).not.toContain("hidden-token");
  }
});

test("S56 a value that the update sets is no stored one, and a later update says nothing", async () => {
  const source = await service.deploy(code(of(", default: 10")), { limit: 5 });
  const set = await change(source, { component_code: code(of(", default: 20")), configured_props: { limit: 5 } });
  expect(set).not.toHaveProperty("warnings");
  const taken = await change(source, { component_code: code(of(", default: 30")), configured_props: { limit: null } });
  expect(taken).not.toHaveProperty("warnings");
  expect(taken.configured_props).not.toHaveProperty("limit");
  await change(source, { configured_props: { limit: 5 } });
  expect(await change(source, { name: "Kept on" })).not.toHaveProperty("warnings");
});

test("S56 a deploy by name and both comparisons say so", async () => {
  const before = { component_code: code(of(", default: 10")).replace("Kept", "Kept by name"), if_exists: "update" };
  const { id } = (await service.call<Data<Warned>>("POST", "/sources", { ...before, configured_props: { limit: 5 } }))
    .body.data;
  const after = { ...before, component_code: before.component_code.replace("10", "20") };
  const warnings = [{ rule: "stored-value-kept", path: "/props/limit", stored: 5, default: 20 }];
  const byName = await service.call("POST", "/sources/compare", after);
  expect(byName.body).toMatchObject({ data: { change: "updated", warnings } });
  const { if_exists: _, ...body } = after;
  const byId = await service.call("POST", `/sources/${id}/compare`, body);
  expect(byId.body).toMatchObject({ data: { changes: [{ field: "component" }], warnings } });
  const nulled = await service.call("POST", `/sources/${id}/compare`, { ...body, configured_props: { limit: null } });
  expect(nulled.body).not.toHaveProperty("data.warnings");
  expect((await service.call("POST", "/sources", after)).body).toMatchObject({ data: { change: "updated", warnings } });
  expect((await service.call("POST", "/sources", after)).body).not.toHaveProperty("data.warnings");
});
