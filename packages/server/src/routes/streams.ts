import { parseEventIdParameter } from "../page.ts";
import { type Route, tagged } from "../route.ts";
import { stream } from "../route-answer.ts";
import type { StreamRequest } from "../stream/frames.ts";
import type { Streams } from "../stream/streams.ts";
import { checkEmitter, checkKind, type EmitterKind, emitterKinds } from "../emitter-kind.ts";
import { eventCursorParameter } from "./parameters.ts";

/** The stream and channel of a name; without a name, and for `default`, the default channel. */
function parseStream(name = ""): Pick<StreamRequest, "stream" | "name"> {
  if (name === "$errors" || name === "$logs") return { stream: name, name: undefined };
  return { stream: "emits", name: name === "default" ? "" : name };
}

const allChannels: Pick<StreamRequest, "stream" | "name"> = { stream: "emits", name: undefined };

const description = [
  "Each event is unnamed, has the event's id as `id:` and its expanded summary as one line of JSON in `data:`.",
  "A comment line comes every 15 seconds.",
  "",
  "A client that comes back with `Last-Event-ID` (or `after`) first gets the stored events after that id, oldest first,",
  "then those that follow. When retention has dropped some of them, an event named `gap` with `{after, oldest}` and",
  "without an id comes first; with `{after, newest}` when the cursor is ahead of the stream, which then goes on with new",
  "events. Without a cursor nothing is replayed, unless `replay` says so, and the stream begins with the `id:` to resume",
  "after. A client that is too slow is disconnected, and can resume.",
].join("\n");

/** Server-sent events. */
export const streamRoutes = (streams: Pick<Streams, "open">): readonly Route[] =>
  emitterKinds.map((kind) => streamRoute(kind, streams));

const streamRoute = (kind: EmitterKind, streams: Pick<Streams, "open">): Route =>
  tagged(kind.tag)(`GET ${kind.folder}/sse`, {
    name: `stream${kind.infix}Events`,
    summary: `Stream the events of a ${kind.noun}`,
    description,
    query: {
      stream: {
        type: "string",
        pattern: "^(\\$errors|\\$logs|[^$].*)?$",
        maxLength: 256,
        description: "$errors, $logs or the name of a channel",
      },
      channels: {
        type: "string",
        enum: ["", "all"],
        description: '"all": the events of every channel, whatever stream says',
        shownAs: { type: "string", enum: ["all"] },
      },
      after: eventCursorParameter,
      replay: {
        type: "string",
        pattern: "^([1-9][0-9]?|100)?$",
        description: "an integer from 1 to 100",
        shownAs: { type: "integer", minimum: 1, maximum: 100 },
      },
    },
    headers: { "last-event-id": { ...eventCursorParameter, description: "an event id; takes precedence over after" } },
    answer: stream("Events until one side closes the connection."),
    async handle({ runtime, apiKey, params, query, headers, select, hold }) {
      const lastId = parseEventIdParameter("after", headers["last-event-id"]);
      const after = lastId ?? parseEventIdParameter("after", query.after);
      checkKind(kind, params.id);
      await checkEmitter(runtime, params.id);
      return streams.open({
        sourceId: params.id,
        runtime,
        apiKey,
        ...(query.channels === "all" ? allChannels : parseStream(query.stream)),
        ...(after && { after }),
        ...(query.replay && { replay: Number(query.replay) }),
        select,
        hold,
      });
    },
  });
