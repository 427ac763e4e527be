import { deserialize } from "node:v8";

import { authorStack, createAuthorSources, type ComponentLoader } from "@x/components";
import type { Clock, Limits, Logger, RequestEntry, TriggerHead } from "@x/model";
import type { Sandbox } from "@x/sandbox";
import type { Store } from "@x/store";
import { type AnswerApp, createAnswerApp } from "../app-events/answer-app.ts";
import { type AppEndpoints, createAppEndpoints } from "../app-events/app-endpoints.ts";
import { type AppEventsParts, createAppEvents } from "../app-events/app-events.ts";
import { type CallbackAccounts, createCallbackAccounts } from "../app-events/callback-accounts.ts";
import type { Accounts } from "@x/accounts";
import type { RuntimeOptions } from "../api/options.ts";
import { createReaders } from "../app-events/reader.ts";
import { createRequestLog, type RequestLog } from "../http/request-log.ts";
import type { Egress } from "../network/egress.ts";
import type { Tracing } from "../observe/contract.ts";
import type { Users } from "../users/users.ts";
import type { Node } from "./assemble-node.ts";

export interface AppEventsBase {
  readonly store: Store;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly limits: Limits;
  readonly sandbox: Sandbox;
  readonly loader: ComponentLoader;
  readonly egress: Egress;
  readonly users: Users;
  readonly options: Pick<RuntimeOptions, "accounts">;
  readonly accounts: Pick<Accounts, "credentials">;
  readonly tracing: Tracing | undefined;
  readonly node: Node | undefined;
  readonly fanOutBacklog: AppEventsParts["backlog"];
  triggered(triggers: readonly TriggerHead[]): void;
  readonly overflowed: AppEventsParts["overflowed"];
  endpointUrl(key: string): string;
}

/** Endpoints of apps, and what their requests lead to. */
export interface AppEventsAssembly {
  readonly answerApp: AnswerApp;
  readonly appEndpoints: AppEndpoints;
  readonly requestLog: RequestLog;
  /** Of the embedder's accounts. */
  readonly identities: CallbackAccounts | undefined;
}

/** Nodes ask each other for the requests that they have refused. */
const refusedKind = "requests.refused";

export function assembleAppEvents(base: AppEventsBase): AppEventsAssembly {
  const { store, clock, node, users, egress } = base;
  const requestLog = createRequestLog({
    store,
    elsewhere: async (owner) =>
      ((await node?.tell(refusedKind, owner)) ?? []).flatMap((entries) => entries as readonly RequestEntry[]),
  });
  node?.onTold(refusedKind, async (body) => requestLog.refusedHere(deserialize(body) as string));
  const sources = createAuthorSources();
  const readers = createReaders({
    ...base,
    fetchFor: (userId) => (request, signal, hold) => egress.fetch(request, signal, { hold, sender: { userId } }),
    explain: ({ stack }, sourceMap) => authorStack(stack, sources(sourceMap)),
  });
  const identities = base.options.accounts && createCallbackAccounts({ store, credentials: base.accounts.credentials });
  const appEvents = createAppEvents({ ...base, backlog: base.fanOutBacklog, identities });
  const ready = async (): Promise<void> => {
    await node?.ready();
  };
  const shared = { ...base, appEvents, readers, log: requestLog, ready };
  return {
    requestLog,
    identities,
    answerApp: createAnswerApp({ ...shared, bodyBytes: base.limits.httpBodyBytes }),
    appEndpoints: createAppEndpoints({
      ...shared,
      store,
      clock,
      firstUserId: () => users.first.id,
    }),
  };
}
