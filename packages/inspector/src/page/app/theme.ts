import { effect, signal } from "@preact/signals";

/** `auto` follows the system. */
export type Theme = "auto" | "light" | "dark";

const place = "x-theme";
const themes: readonly Theme[] = ["auto", "light", "dark"];

const stored = localStorage.getItem(place);

/** The chosen colours. */
export const theme = signal<Theme>(themes.find((each) => each === stored) ?? "auto");

effect(() => {
  document.documentElement.dataset["theme"] = theme.value;
  localStorage.setItem(place, theme.value);
});

/** Takes the next of the three. */
export function nextTheme(): void {
  theme.value = themes[(themes.indexOf(theme.value) + 1) % themes.length] ?? "auto";
}
