import { type ReadonlySignal, signal } from "@preact/signals";

/** A signed-in user, with the bearer key of the session. */
export interface Session {
  readonly key: string;
  /** Epoch ms. */
  readonly expiresAt: number;
  readonly user: { readonly id: string; readonly username: string };
  /** Whether the user is the first one, who manages the others. */
  readonly firstUser: boolean;
  /** Whether the service has a manual clock that this user may move. */
  readonly manualClock: boolean;
}

const place = "x-session";

function read(): Session | undefined {
  try {
    const stored = JSON.parse(localStorage.getItem(place) ?? "null") as Session | null;
    return stored && stored.expiresAt > Date.now() ? stored : undefined;
  } catch {
    return undefined;
  }
}

const current = signal(read());

/** The session of this browser; undefined while nobody is signed in. */
export const session: ReadonlySignal<Session | undefined> = current;

/** Why the sign-in page is shown, when it is not the first time. */
export const signedOutReason = signal("");

export function keepSession(value: Session): void {
  localStorage.setItem(place, JSON.stringify(value));
  signedOutReason.value = "";
  current.value = value;
}

/** Forgets the session, in all windows. */
export function forgetSession(reason = ""): void {
  localStorage.removeItem(place);
  signedOutReason.value = reason;
  current.value = undefined;
}

// Signing in or out in another window.
addEventListener("storage", ({ key }) => {
  if (key === place || key === null) current.value = read();
});
