import type { JSX } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";

import { signOut } from "../api/client.ts";
import { session } from "../api/session.ts";
import { Button } from "../ui/button.tsx";
import { Icon, type IconName } from "../ui/icon.tsx";
import { LazyView } from "../ui/lazy-view.tsx";
import { Empty } from "../ui/status.tsx";
import { FindBox } from "./find-box.tsx";
import { KeysDialog } from "./keys-dialog.tsx";
import { matchPath } from "./location.ts";
import { readManualClock } from "./manual-clock.ts";
import { pages, startPath } from "./pages.ts";
import { linkTo, place, redirect } from "./router.ts";
import { useShortcuts } from "./shortcuts.ts";
import { nextTheme, type Theme, theme } from "./theme.ts";

const themeIcons: Readonly<Record<Theme, IconName>> = { auto: "screen", light: "sun", dark: "moon" };
const themeLabels: Readonly<Record<Theme, string>> = {
  auto: "Colours: as the system",
  light: "Colours: light",
  dark: "Colours: dark",
};

const Mark = (): JSX.Element => (
  <svg width="20" height="20" viewBox="0 0 20 20" fill="none" aria-hidden="true">
    <rect width="20" height="20" rx="5" fill="var(--accent-fill)" />
    <path d="m6 6 8 8m0-8-8 8" stroke="#fff" stroke-width="2" stroke-linecap="round" />
  </svg>
);

const isShown = (query: Readonly<Record<string, string>>): boolean =>
  Object.entries(query).every(([name, value]) => place.value.query.get(name) === value);

function Navigation({ current }: { readonly current: string | undefined }): JSX.Element {
  return (
    <nav aria-label="Pages">
      <ul>
        {pages.map(
          ({ pattern, nav }) =>
            nav &&
            (nav.when?.() ?? true) && (
              <li key={pattern}>
                <a href={linkTo(pattern)} aria-current={current === pattern ? "page" : undefined}>
                  <Icon name={nav.icon} />
                  {nav.label}
                </a>
                {nav.part && (
                  <a
                    class="part"
                    href={linkTo(pattern, nav.part.query)}
                    title={nav.part.about}
                    aria-current={current === pattern && isShown(nav.part.query) ? "page" : undefined}
                  >
                    {nav.part.label}
                  </a>
                )}
              </li>
            ),
        )}
      </ul>
    </nav>
  );
}

/** The frame around all pages. */
export function Shell(): JSX.Element {
  const [menu, setMenu] = useState(false);
  const [keys, setKeys] = useState(false);
  const main = useRef<HTMLElement>(null);
  const { path } = place.value;
  const page = pages.find(({ pattern }) => matchPath(pattern, path));
  useEffect(() => {
    redirect("/", linkTo(startPath));
    setMenu(false);
  }, [path]);
  useEffect(() => void readManualClock(), [session.value?.key]);
  useShortcuts([{ key: "?", about: "Show these keys", act: () => setKeys(true) }]);
  return (
    <div class="shell">
      <header class="side" data-open={menu}>
        <a class="brand" href={linkTo(startPath)}>
          <Mark />
          Inspector
        </a>
        <span class="menu-button">
          <Button
            look="quiet"
            icon="menu"
            label={menu ? "Close the menu" : "Open the menu"}
            iconOnly
            act={() => setMenu(!menu)}
          />
        </span>
        <FindBox />
        <Navigation current={page?.nav ? page.pattern : page?.under} />
        <div class="side-end">
          <span class="who cut">{session.value?.user.username}</span>
          <div class="side-tools">
            <Button
              look="quiet"
              icon={themeIcons[theme.value]}
              label={themeLabels[theme.value]}
              iconOnly
              act={nextTheme}
            />
            <Button look="quiet" icon="help" label="Keys" iconOnly act={() => setKeys(true)} />
            <Button look="quiet" icon="leave" label="Sign out" iconOnly act={signOut} />
          </div>
        </div>
      </header>
      <main class="main" ref={main}>
        {page ? (
          <LazyView load={page.load} given={{ params: matchPath(page.pattern, path) ?? {} }} />
        ) : (
          <Empty title="There is no such page">
            <a href={linkTo(startPath)}>All sources</a>
          </Empty>
        )}
      </main>
      {keys && <KeysDialog close={() => setKeys(false)} />}
    </div>
  );
}
