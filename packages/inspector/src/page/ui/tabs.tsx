import type { JSX } from "preact";

export interface Tab {
  readonly label: string;
  readonly link: string;
  readonly current: boolean;
  readonly count?: number;
}

/** Links between the parts of a page. */
export const Tabs = ({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }): JSX.Element => (
  <nav class="tabs" aria-label={label}>
    {tabs.map(({ label: text, link, current, count }) => (
      <a key={link} href={link} aria-current={current ? "page" : undefined}>
        {text}
        {count !== undefined && count > 0 && <span class="badge">{count}</span>}
      </a>
    ))}
  </nav>
);
