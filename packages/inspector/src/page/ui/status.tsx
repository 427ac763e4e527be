import type { ComponentChildren, JSX } from "preact";

import { messageOf } from "../api/client.ts";
import { now } from "../app/clock.ts";
import { exactTime, relative } from "../text/format.ts";
import { Button } from "./button.tsx";
import { Icon } from "./icon.tsx";

export type Tone = "ok" | "warn" | "bad" | "info" | "none";

/** A short state. */
export const Badge = ({ tone = "none", children }: { readonly tone?: Tone; readonly children: ComponentChildren }) => (
  <span class={`badge ${tone}`}>{children}</span>
);

/** A time, seen from now, with the exact one on hover. */
export function Ago({ at }: { readonly at: number }): JSX.Element {
  return (
    <time class="number nowrap" dateTime={new Date(at).toISOString()} title={exactTime(at)}>
      {relative(at, now.value)}
    </time>
  );
}

/** What went wrong, with a way to try again. */
export const Problem = ({ error, retry }: { readonly error: unknown; readonly retry?: () => void }): JSX.Element => (
  <div class="problem" role="alert">
    <Icon name="warn" />
    <span class="grow">{messageOf(error)}</span>
    {retry && <Button look="quiet" icon="reload" label="Try again" act={retry} />}
  </div>
);

/** Instead of a list without items. */
export const Empty = ({ title, children }: { readonly title: string; readonly children?: ComponentChildren }) => (
  <div class="empty">
    <strong>{title}</strong>
    {children}
  </div>
);

/** While something is loaded. */
export const Loading = ({ what = "Loading" }: { readonly what?: string }): JSX.Element => (
  <div class="empty" role="status">
    {what}…
  </div>
);
