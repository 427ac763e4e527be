import type { JSX } from "preact";

import { session } from "../api/session.ts";
import { SignInPage } from "../sign-in/sign-in-page.tsx";
import { Notices } from "./notices-view.tsx";
import { place } from "./router.ts";
import { Shell } from "./shell.tsx";

/** The whole application. */
export function App(): JSX.Element {
  const signingIn = session.value === undefined || place.value.path === "/sign-in";
  return (
    <>
      {signingIn ? <SignInPage /> : <Shell />}
      <Notices />
    </>
  );
}
