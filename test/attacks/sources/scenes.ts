import { component, endpointPath, type Service, type SourceBody } from "../../conformance/fixture.ts";
import type { Attack } from "../attack.ts";

/** Several requests and runs that attack a service together; throws when the attack succeeds. */
export interface Scene extends Attack {
  attack(service: Service): Promise<void>;
}

function must(holds: boolean, what: string): void {
  if (!holds) throw new Error(what);
}

const http = `http: "$.interface.http"`;
const stuck = component({ props: http, run: `await new Promise((done) => setTimeout(done, 1e6))` });
const statuses = async (work: readonly Promise<{ readonly status: number }>[]): Promise<number[]> =>
  (await Promise.all(work)).map(({ status }) => status);
const times = <Item>(count: number, make: (n: number) => Item): Item[] =>
  Array.from({ length: count }, (_, n) => make(n));

async function removing(service: Service, sources: readonly SourceBody[]): Promise<void> {
  for (const { id } of sources) {
    const { status } = await service.call("DELETE", `/sources/${id}?ignore_hook_errors=true`);
    must(status === 204, `a source is removed: ${status}`);
  }
}

/** One runs, 20 wait, and each finished run admits another. */
async function mustWaitAtMost20(service: Service, source: SourceBody, seen: readonly number[]): Promise<void> {
  const ended = await service.call<{ data: readonly unknown[] }>(
    "GET",
    `/sources/${source.id}/$errors/event_summaries?limit=100`,
  );
  const accepted = seen.filter((status) => status === 200).length;
  must(accepted <= 21 + ended.body.data.length, `${accepted} were accepted`);
  must(
    seen.every((status) => status === 200 || status === 429),
    `others are 429: ${seen.join()}`,
  );
}

type Row = readonly [id: string, attack: Scene["attack"]];
const queues: readonly Row[] = [
  [
    "endpoint",
    async (service) => {
      const source = await service.deploy(stuck);
      const seen = await statuses(times(60, () => service.hit(source, "", { method: "POST", body: "x" })));
      await mustWaitAtMost20(service, source, seen);
      await removing(service, [source]);
    },
  ],
  [
    "manual-runs",
    async (service) => {
      const source = await service.deploy(stuck);
      const seen = await statuses(times(60, () => service.call("POST", `/sources/${source.id}/run`, { wait: false })));
      await mustWaitAtMost20(service, source, seen);
      await removing(service, [source]);
    },
  ],
  [
    "events-of-another",
    async (service) => {
      const [from, to] = [
        await service.deploy(component({ run: `for (let i = 0; i < 200; i++) this.$emit(i)` })),
        await service.deploy(component({ run: `await new Promise((done) => setTimeout(done, 1e6))` })),
      ];
      await service.call("POST", `/subscriptions?emitter_id=${from.id}&listener_id=${to.id}`);
      must((await service.run(from.id)).status === "ok", "its emitter runs");
      await removing(service, [from, to]);
    },
  ],
  [
    "subscription-circle",
    async (service) => {
      const code = component({ run: `this.$emit(event)` });
      const [a, b] = [await service.deploy(code), await service.deploy(code)];
      for (const [from, to] of [
        [a, b],
        [b, a],
      ] as const)
        await service.call("POST", `/subscriptions?emitter_id=${from.id}&listener_id=${to.id}`);
      await service.run(a.id, 1);
      await service.runtime.idle();
      const count = (await service.emitted(a.id)).length + (await service.emitted(b.id)).length;
      must(count <= 12, `the circle ends: ${count}`);
      await removing(service, [a, b]);
    },
  ],
  [
    "subscription-to-itself",
    async (service) => {
      const source = await service.deploy(component({ run: `this.$emit(event); this.$emit(event)` }));
      await service.call("POST", `/subscriptions?emitter_id=dc_*&listener_id=${source.id}`);
      await service.call("POST", `/subscriptions?emitter_id=${source.id}&listener_id=${source.id}`);
      await service.run(source.id, 1);
      await service.runtime.idle();
      must((await service.emitted(source.id)).length <= 100, "it ends");
      await removing(service, [source]);
    },
  ],
  [
    "own-endpoint",
    async (service) => {
      const source = await service.deploy(
        component({
          props: `http: { type: "$.interface.http", customResponse: true }`,
          run: `const reply = await fetch(this.http.endpoint).catch((error) => ({ status: error.message })); this.http.respond({ status: 200, body: String(reply.status) })`,
        }),
      );
      const reply = await service.hit(source);
      must(reply.status === 200, `a circle of waits is refused at once: ${reply.status}`);
      await removing(service, [source]);
    },
  ],
  [
    "errors-of-errors",
    async (service) => {
      const source = await service.deploy(component({ run: `throw new Error("x")` }));
      await service.call("POST", `/subscriptions?emitter_id=dc_*&listener_id=${source.id}&event_name=$errors`);
      await service.run(source.id);
      await service.runtime.idle();
      must((await service.events(source.id, "$errors/")).length <= 12, "errors about errors end");
      await removing(service, [source]);
    },
  ],
  [
    "deploys",
    async (service) => {
      const replies = await Promise.all(
        times(20, (n) =>
          service.call<{ data: SourceBody }>("POST", "/sources", { component_code: component({ name: `Flood ${n}` }) }),
        ),
      );
      must(
        replies.every(({ status }) => status === 200),
        "each is deployed",
      );
      must(new Set(replies.map(({ body }) => body.data.name_slug)).size === 20, "each has a name of its own");
      await removing(
        service,
        replies.map(({ body }) => body.data),
      );
    },
  ],
  [
    "updates-of-one",
    async (service) => {
      const source = await service.deploy(component());
      const seen = await statuses(
        times(20, (n) =>
          service.call("PUT", `/sources/${source.id}`, { component_code: component({ name: `Update ${n}` }) }),
        ),
      );
      must(
        seen.every((status) => status === 200 || status === 409),
        seen.join(),
      );
      await removing(service, [source]);
    },
  ],
  [
    "deletes-of-one",
    async (service) => {
      const source = await service.deploy(stuck);
      await service.hit(source, "", { method: "POST" });
      const seen = await statuses(times(5, () => service.call("DELETE", `/sources/${source.id}`)));
      must(seen.filter((status) => status === 204).length >= 1, seen.join());
      must(
        seen.every((status) => [204, 404, 409].includes(status)),
        seen.join(),
      );
    },
  ],
  [
    "hooks-that-hang",
    async (service) => {
      const code = component({ more: `hooks: { deploy() { for (;;); } },` });
      const { status } = await service.call("POST", "/sources", { component_code: code });
      must(status === 422, `the deploy is refused: ${status}`);
    },
  ],
  [
    "options-that-hang",
    async (service) => {
      const code = component({ props: `pick: { type: "string", optional: true, options() { for (;;); } }` });
      const source = await service.deploy(code);
      const { status } = await service.call("POST", "/components/configure", {
        id: source.component_id,
        prop_name: "pick",
        configured_props: {},
      });
      must(status === 200, `the answer tells of the error: ${status}`);
      await removing(service, [source]);
    },
  ],
  [
    "streams-that-nobody-reads",
    async (service) => {
      const source = await service.deploy(component({ run: `this.$emit("x".repeat(1e5))` }));
      const leave = new AbortController();
      const open = await Promise.all(
        times(20, () =>
          fetch(`${service.url}/v1/sources/${source.id}/sse`, {
            headers: { authorization: "Bearer conformance-key-1" },
            signal: leave.signal,
          }),
        ),
      );
      for (const _ of times(5, () => 0)) must((await service.run(source.id)).status === "ok", "it runs");
      must(
        open.every(({ status }) => status === 200),
        "they are open",
      );
      leave.abort();
      await removing(service, [source]);
    },
  ],
  [
    "endpoint-while-it-is-removed",
    async (service) => {
      const source = await service.deploy(component({ props: http }));
      const [removed, ...seen] = await statuses([
        service.call("DELETE", `/sources/${source.id}`),
        ...times(20, () => service.hit(source)),
      ]);
      must(removed === 204 && seen.every((status) => [200, 404].includes(status)), seen.join());
      must((await service.hit(source)).status === 404, endpointPath(source));
    },
  ],
];

const shapes: readonly Row[] = [
  [
    "additional-props-without-end",
    async (service) => {
      const code = component({
        props: `a: { type: "string", reloadProps: true }`,
        more: `additionalProps() { return Object.fromEntries(Array.from({ length: 15e3 }, (_, n) => ["p" + n, { type: "string" }])) },`,
      });
      const { status } = await service.call("POST", "/sources", { component_code: code, configured_props: { a: "x" } });
      must(status >= 400 && status < 500, `it is refused: ${status}`);
    },
  ],
];

const scenes = (attackClass: Attack["class"], promise: string, rows: readonly Row[]): readonly Scene[] =>
  rows.map(([id, attack]) => ({ id: `scene-${id}`, class: attackClass, promise, attack }));

export const allScenes: readonly Scene[] = [
  ...scenes("floods", "queues-bounded", queues),
  ...scenes("shapes", "shapes-checked", shapes),
];
