import { useLayoutEffect } from "preact/hooks";

/** A key with what it does. */
export interface Shortcut {
  readonly key: string;
  readonly about: string;
  act(event: KeyboardEvent): void;
}

const active: Shortcut[] = [];

/** The shortcuts of what is shown, for the list of keys. */
export const activeShortcuts = (): readonly Shortcut[] => active;

const takesText = (element: EventTarget | null): boolean =>
  element instanceof HTMLElement &&
  (element.isContentEditable || /^(?:INPUT|TEXTAREA|SELECT)$/.test(element.tagName) || element.shadowRoot !== null);

addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  const [target] = event.composedPath();
  if (event.key === "Escape" && target instanceof HTMLInputElement) target.blur();
  if (takesText(target ?? null) || takesText(event.target)) return;
  if (document.querySelector("dialog[open]")) return;
  // Enter and space belong to the focused control.
  if (event.key === "Enter" && target instanceof Element && target.closest("a, button, summary")) return;
  const shortcut = active.findLast(({ key }) => key === event.key);
  if (!shortcut) return;
  event.preventDefault();
  shortcut.act(event);
});

/** Adds shortcuts while the component is shown; the last one of a key counts. */
export function useShortcuts(shortcuts: readonly Shortcut[]): void {
  // Before the next key: it must find what the last one has changed.
  useLayoutEffect(() => {
    active.push(...shortcuts);
    return () => {
      for (const shortcut of shortcuts) active.splice(active.indexOf(shortcut), 1);
    };
  });
}
