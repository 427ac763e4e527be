import type { EndpointRequest } from "../api/api.ts";
import type { Answer, answerRequest, EndpointParts } from "../http/endpoint.ts";
import type { CallFromInside, EndpointSource, EndpointSources } from "../http/endpoint-sources.ts";
import { refusedAnswer, refuseLongBody, refuseLongHead } from "../http/refusals.ts";
import type { Inbox } from "../invocation/inbox/inbox.ts";
import type { Change, Store } from "@x/store";
import type { HeldSlots } from "./held-slots.ts";
import type { Router } from "./router.ts";

/** The source of an endpoint, which this node runs. */
interface SourceHere extends EndpointSource {
  /** Call it when the client waits no longer. */
  readonly leave?: () => void;
}

/** The id of a source that another node runs or changes: that node knows whether the endpoint is there. */
interface SourceAway {
  readonly awayId: string;
}

export interface SharedFindParts {
  readonly store: Pick<Store, "transitions">;
  readonly heldSlots: Pick<HeldSlots, "isHere" | "isLeaving" | "isHeld" | "enter">;
  readonly endpointSources: Pick<EndpointSources, "open" | "findWith">;
  /** Resolves when this node takes part. */
  ready(): Promise<void>;
}

/**
 * `isInside`: for a run of this node, which may need the source while it is handed over, and for who has entered it
 * already.
 */
type SharedFind = (key: string, isInside: boolean) => Promise<SourceHere | SourceAway | undefined>;

/** Finds the source of each endpoint, or which source of another node to ask for. */
export function createSharedFind({ store, heldSlots, endpointSources, ready }: SharedFindParts): SharedFind {
  async function open(id: string, key: string, isInside: boolean): Promise<SourceHere | SourceAway | undefined> {
    await ready();
    if (!(await heldSlots.isHere(id)) && !(isInside && heldSlots.isLeaving(id))) return { awayId: id };
    const client = heldSlots.enter(id);
    const leave = (): void => client[Symbol.dispose]();
    let found: EndpointSource | undefined;
    try {
      found = await endpointSources.open(id, key);
      return found && { ...found, leave };
    } finally {
      if (!found) leave();
    }
  }

  /** A source that another node changes, and whose hooks may have registered this endpoint. */
  async function findChanging(key: string): Promise<SourceAway | undefined> {
    const changing = (await store.transitions()).find(({ source }) => Object.values(source.endpoints).includes(key));
    return changing && !heldSlots.isHeld(changing.source.id) ? { awayId: changing.source.id } : undefined;
  }

  return async (key, isInside) =>
    (await endpointSources.findWith(key, (id) => open(id, key, isInside))) ?? findChanging(key);
}

/** An inside call as another node gets it. It cannot know which runs wait for each other there. */
type PlainInside = Omit<CallFromInside, "willWaitFor">;

export interface SharedEndpointParts extends SharedFindParts, EndpointParts {
  readonly router: Pick<Router, "call" | "answer">;
  readonly answerRequest: typeof answerRequest;
}

/** Answers requests to the endpoints of all nodes. A source stays on this node until the run that answers has ended. */
export function createSharedEndpoint(parts: SharedEndpointParts): Answer {
  const { router } = parts;
  const find = createSharedFind(parts);

  /** `extraChanges` are committed together with the trigger. */
  function answerHere(
    found: SourceHere | undefined,
    key: string,
    request: EndpointRequest,
    inside: CallFromInside | undefined,
    extraChanges: readonly Change[],
  ): ReturnType<Answer> {
    let run: Promise<unknown> | undefined;
    const accept: Inbox["accept"] = async (trigger) => {
      const recorded = trigger.extraChanges ?? [];
      const accepted = await parts.inbox.accept({ ...trigger, extraChanges: [...recorded, ...extraChanges] });
      if (trigger.respond) run = accepted.done;
      return accepted;
    };
    const leave = found?.leave ?? (() => undefined);
    return parts
      .answerRequest(key, request, { ...parts, find: async () => found, inbox: { accept } }, inside)
      .finally(() => void (run ? run.then(leave, leave) : leave()));
  }

  /** Its node stores the trigger behind those that it has: requests that are sent one after another run in that order. */
  async function ask(
    to: string,
    key: string,
    request: EndpointRequest,
    inside: CallFromInside | undefined,
  ): ReturnType<Answer> {
    const refused = refuseLongHead(request) ?? refuseLongBody(request, parts.bodyBytes);
    if (refused) return refused;
    const { willWaitFor: _wait, ...plain } = inside ?? { willWaitFor: undefined };
    const args = [key, request, inside && plain];
    return router.call({ to, method: "request", args }, () => answer(key, request, inside, true, []));
  }

  /** Without `await`: a call that waits for a run does not hold its request. */
  function answer(
    key: string,
    request: EndpointRequest,
    inside: CallFromInside | undefined,
    isEntered: boolean,
    extraChanges: readonly Change[],
  ): ReturnType<Answer> {
    // Who has entered the source already would wait for itself.
    return find(key, isEntered || inside !== undefined)
      .then((found) =>
        found && "awayId" in found
          ? ask(found.awayId, key, request, inside)
          : answerHere(found, key, request, inside, extraChanges),
      )
      .catch(refusedAnswer);
  }

  router.answer("request", ({ args, messageId: id }) => {
    const [key, request, plain] = args as [string, EndpointRequest, PlainInside | undefined];
    const inside = plain && { ...plain, willWaitFor: () => undefined };
    return answer(key, request, inside, true, [{ op: "message.done", id }]);
  });

  return (key, request, inside) => answer(key, request, inside, false, []);
}
