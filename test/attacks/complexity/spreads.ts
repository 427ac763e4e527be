import { renewingFetch } from "../../../packages/accounts/src/renewing-fetch.ts";
import { parseBody } from "../../../packages/accounts/src/oauth/token-answer.ts";
import { withAccounts } from "../../../packages/runtime/src/sources/account-props.ts";
import { HookRuns } from "../../../packages/runtime/src/sources/hook-runs.ts";
import type { GuestReply } from "../../../packages/sandbox/src/contract.ts";
import { JsonText } from "../../../packages/http/src/json-text.ts";
import { fieldRoom, selectFields } from "../../../packages/server/src/fields.ts";
import type { ComplexInput } from "./complex-input.ts";

const kind = { class: "algorithmic complexity", promise: "main-thread-free" } as const;

/** What is more than a call has arguments, or is compared with each of many others. */
export const spreadInputs: readonly ComplexInput[] = [
  {
    id: "hook-with-many-changes",
    ...kind,
    size: 250_000,
    prepare(size) {
      const runs = { changes: [], events: [], logs: [], cached: {} };
      const changes = Array.from({ length: size }, () => ({ op: "trigger.remove", id: "1" }));
      const settled = { changes, events: changes, next: {}, execution: { logs: [] } } as never;
      return () => HookRuns.prototype.add.call(runs as never, settled);
    },
  },
  {
    id: "accounts-for-no-prop",
    ...kind,
    size: 50_000,
    prepare(size) {
      const props = Array.from({ length: 500 }, (_, n) => ({ name: `app${n}`, type: "app", app: `service${n}` }));
      const accounts = Object.fromEntries(Array.from({ length: size }, (_, n) => [`account${n}`, "a"]));
      return () => {
        try {
          return withAccounts({ name: "Feed", props }, {}, accounts);
        } catch (error) {
          return JSON.stringify(error);
        }
      };
    },
  },
  {
    id: "url-of-many-parameters",
    ...kind,
    size: 1024 * 1024,
    prepare(size) {
      const reply = { status: 200, redirected: false } as GuestReply;
      const renewals = { knows: () => false, rejected: () => Promise.resolve(undefined) };
      const fetch = renewingFetch(() => Promise.resolve(reply), renewals, { userId: "u", renewed: () => undefined });
      const request = { url: `https://a.test/?${"a&".repeat(size / 2)}`, method: "GET", headers: [] };
      return () => fetch(request as never, new AbortController().signal);
    },
  },
  {
    id: "token-answer-of-many-parameters",
    ...kind,
    size: 1024 * 1024,
    prepare(size) {
      const text = "a&".repeat(size / 2);
      return () => parseBody(text, "application/x-www-form-urlencoded");
    },
  },
  {
    id: "fields-inside-of-events",
    ...kind,
    size: 8 * 1024 * 1024,
    prepare(size) {
      const events = Array.from({ length: 20 }, () => ({ event: new JsonText(`[${"[],".repeat(size / 60)}0]`) }));
      const room = fieldRoom();
      return () => {
        try {
          return events.map((event) => selectFields(event, { include: "event.title" }, room));
        } catch (error) {
          return error;
        }
      };
    },
  },
];
