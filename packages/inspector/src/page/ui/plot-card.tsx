import type { JSX } from "preact";
import { useEffect, useRef } from "preact/hooks";

import { theme } from "../app/theme.ts";
import { Part } from "../runs/part.tsx";
import type { PlotInput } from "./plot.ts";

interface PlotCardProps extends PlotInput {
  readonly title: string;
  /** The latest value, or the sum. */
  readonly value: string;
}

const darkQuery = matchMedia("(prefers-color-scheme: dark)");

/** A plot with its title and its lines' names; its library is loaded with the first one. */
export function PlotCard({ title, value, times, lines, show }: PlotCardProps): JSX.Element {
  const place = useRef<HTMLDivElement>(null);
  const chosen = theme.value;
  useEffect(() => {
    let close: (() => void) | undefined;
    let left = false;
    function open(): void {
      close?.();
      close = undefined;
      void import("./plot.ts").then(({ openPlot }) => {
        if (!left && !close && place.current) close = openPlot(place.current, { times, lines, show });
      });
    }
    open();
    darkQuery.addEventListener("change", open);
    return () => {
      left = true;
      darkQuery.removeEventListener("change", open);
      close?.();
    };
  }, [times, lines, chosen]);
  return (
    <Part title={title} end={<span class="number dim">{value}</span>} bare>
      <div
        class="plot"
        ref={place}
        role="img"
        aria-label={`${title}: ${value}. ${lines.map(({ label }) => label).join(", ")} by minute.`}
      />
      <ul class="plot-legend row wrap">
        {lines.map(({ label, colour }) => (
          <li key={label} class="row">
            <span class="plot-key" style={{ background: `var(${colour})` }} aria-hidden="true" />
            {label}
          </li>
        ))}
      </ul>
    </Part>
  );
}
