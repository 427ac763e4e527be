import type { FollowOptions, ServerEvent } from "@x/client";

/** Says on standard error when a connection breaks and is restored. The failure of the first one ends the stream. */
export function tellState(): NonNullable<FollowOptions["onState"]> {
  let state: "first" | "connected" | "broken" = "first";
  return (now, error) => {
    if (now === "open") {
      if (state === "broken") console.error("reconnected");
      state = "connected";
    } else if (now === "waiting") {
      if (state === "first" && error !== undefined) throw error;
      if (state === "connected") console.error("the connection is broken; reconnecting");
      state = "broken";
    }
  };
}

function gapText(data: string): string {
  const { oldest } = JSON.parse(data) as { readonly oldest?: string };
  const gone = "are gone, because only the newest are kept";
  return oldest === undefined ? `some ${gone}` : `some events ${gone}; the next one is ${oldest}`;
}

/** The parsed data of an event of a stream. A gap is said on standard error; undefined for it, and for other names. */
export function readEvent<Event>({ name, data }: ServerEvent): Event | undefined {
  if (name === "gap") console.error(gapText(data));
  return name === "message" ? (JSON.parse(data) as Event) : undefined;
}
