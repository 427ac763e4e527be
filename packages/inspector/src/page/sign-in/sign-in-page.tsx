import type { JSX } from "preact";
import { useEffect, useState } from "preact/hooks";

import { ApiError, messageOf, signIn } from "../api/client.ts";
import { signedOutReason } from "../api/session.ts";
import { goTo, linkTo, place, redirect } from "../app/router.ts";
import { startPath } from "../app/pages.ts";
import { Button } from "../ui/button.tsx";

const usedLink =
  "This link has been used or is too old. Sign in with an API key, or get a new link with x inspector link.";

const refusalOf = (error: unknown, what: "token" | "key"): string =>
  error instanceof ApiError && error.code === "unauthorized"
    ? what === "token"
      ? usedLink
      : "This is not a valid API key of this service."
    : messageOf(error);

/** Signs in with the token of the link, once; the token leaves the address at once. */
function useToken(fail: (message: string) => void): boolean {
  const { path, query } = place.value;
  const token = path === "/sign-in" ? query.get("token") : null;
  const [busy, setBusy] = useState(token !== null);
  useEffect(() => {
    if (token === null) return;
    goTo(linkTo("/sign-in"), { replace: true });
    signIn({ token })
      .then(() => redirect("/sign-in", linkTo(startPath)))
      .catch((error: unknown) => fail(refusalOf(error, "token")))
      .finally(() => setBusy(false));
  }, []);
  return busy;
}

/** Asks for an API key, unless the link has a token. */
export function SignInPage(): JSX.Element {
  const [key, setKey] = useState("");
  const [problem, setProblem] = useState("");
  const busy = useToken(setProblem);
  async function submit(): Promise<void> {
    try {
      await signIn({ api_key: key.trim() });
      redirect("/sign-in", linkTo(startPath));
    } catch (error) {
      setProblem(refusalOf(error, "key"));
    }
  }
  const message = problem || signedOutReason.value;
  return (
    <main class="sign-in">
      <form
        class="card"
        aria-label="Sign in"
        onSubmit={(event) => {
          event.preventDefault();
          void submit();
        }}
      >
        <h1>Sign in to the inspector</h1>
        {busy ? (
          <p role="status">Signing in…</p>
        ) : (
          <>
            {message !== "" && (
              <div class="problem" role="alert">
                {message}
              </div>
            )}
            <label class="field">
              <span class="field-label">API key</span>
              <input
                class="input mono"
                type="password"
                required
                autocomplete="off"
                value={key}
                onInput={(event) => setKey(event.currentTarget.value)}
              />
            </label>
            <Button look="main-action" submit label="Sign in" />
            <p class="dim">The service prints a link that signs in without a key when it starts.</p>
          </>
        )}
      </form>
    </main>
  );
}
