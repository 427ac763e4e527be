import type { PartsOf } from "@x/client";

type AppEvent = PartsOf<"POST /apps/{app}/events">["body"]["events"][number];

/** The fields of the form of an event. */
export interface EventDraft {
  /** Separated by commas. */
  readonly names: string;
  /** `field=value`, separated by commas. */
  readonly account: string;
  readonly id: string;
  /** JSON. */
  readonly data: string;
}

const listOf = (text: string): string[] =>
  text
    .split(",")
    .map((each) => each.trim())
    .filter((each) => each !== "");

/** The event that the fields describe. Throws for an account or data that cannot be read. */
export function eventOf({ names, account, id, data }: EventDraft): AppEvent {
  const fields = listOf(account).map((each): [string, string] => {
    const [, name = "", value = ""] = /^([^=]+)=(.+)$/.exec(each) ?? [];
    if (name === "") throw new Error(`An account is field=value, such as team_id=T1, got ${each}`);
    return [name.trim(), value.trim()];
  });
  return {
    names: listOf(names),
    ...(id.trim() !== "" && { id: id.trim() }),
    ...(fields.length > 0 && { accounts: [Object.fromEntries(fields)] }),
    data: JSON.parse(data) as AppEvent["data"],
  };
}
