import type { JSX } from "preact";

import { count } from "../text/format.ts";

export interface Tab {
  readonly label: string;
  readonly link: string;
  readonly current: boolean;
  readonly count?: number;
}

/** Links between the parts of a page. */
export const Tabs = ({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }): JSX.Element => (
  <nav class="tabs" aria-label={label}>
    {tabs.map(({ label: text, link, current, count: number = 0 }) => (
      <a key={link} href={link} aria-current={current ? "page" : undefined}>
        {text}
        {number > 0 && <span class="badge">{count(number)}</span>}
      </a>
    ))}
  </nav>
);
