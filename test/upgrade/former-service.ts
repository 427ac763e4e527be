import { createRuntime, manualClock, type RuntimeOptions } from "@x/runtime";
import { createApp } from "@x/server";
import { expect } from "vitest";

/** What the service of a fixture answered. */
export interface Expected {
  readonly source: string;
  /** Path of the source's endpoint. */
  readonly endpoint: string;
  readonly answers: { readonly [path: string]: unknown };
}

interface ListedSource {
  readonly created_at: number;
  readonly configured_props: { readonly http: { readonly endpoint_url: string } };
}

/** A runtime on the data of a fixture, at its address and in its time. */
export interface Continued extends AsyncDisposable {
  /** The newest answers to the questions of the fixture, by path. */
  answers(): Promise<Expected["answers"]>;
  /** The count in the db of its source. */
  count(): Promise<unknown>;
  /** Sends a request to its endpoint; resolves with the status. */
  send(id: number): Promise<number>;
  /** The events of its source, newest first. */
  events(): Promise<readonly unknown[]>;
}

export async function continueService(
  { answers, source, endpoint }: Expected,
  place: Pick<RuntimeOptions, "data" | "store" | "secretKey">,
): Promise<Continued> {
  const [first] = answers["/users/me/sources"] as readonly ListedSource[];
  const { origin } = new URL(first?.configured_props.http.endpoint_url ?? "");
  const clock = manualClock((first?.created_at ?? 0) * 1_000 + 30_000);
  const runtime = await createRuntime({ ...place, workers: 0, publicUrl: origin, clock });
  const app = createApp(runtime);
  const ask = async (path: string): Promise<unknown> => {
    const headers = { authorization: "Bearer upgrade-fixture-key" };
    const response = await app.fetch(new Request(`${origin}/v1${path}`, { headers }));
    return ((await response.json()) as { data?: unknown }).data;
  };
  return {
    async answers() {
      const found: { [path: string]: unknown } = {};
      for (const path of Object.keys(answers)) found[path] = await ask(path);
      return found;
    },
    count: async () => (await runtime.db(source)).get("n"),
    async send(id) {
      const body = JSON.stringify({ id, text: "after the upgrade" });
      const headers = { "content-type": "application/json" };
      return (await app.fetch(new Request(origin + endpoint, { method: "POST", headers, body }))).status;
    },
    events: async () => (await ask(`/sources/${source}/event_summaries?expand=event&limit=100`)) as unknown[],
    [Symbol.asyncDispose]: () => runtime.close(),
  };
}

/** Whether the service of a fixture goes on: dedupe knows the former ids, and the count is the next one. */
export async function expectToGoOn(service: Continued, expected: Expected): Promise<void> {
  expect(await service.answers()).toMatchObject(expected.answers);
  expect(await service.count()).toBe(6);
  expect([await service.send(5), await service.send(6)]).toEqual([200, 200]);
  await expect.poll(async () => (await service.events()).length).toBe(6);
  expect((await service.events())[0]).toMatchObject({ event: { n: 8, text: "after the upgrade" } });
}
