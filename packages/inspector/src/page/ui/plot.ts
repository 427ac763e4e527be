import "uplot/dist/uPlot.min.css";

import uPlot from "uplot";

/** One line of a plot. */
export interface PlotLine {
  readonly label: string;
  /** The name of a colour of the styles: `--accent`. */
  readonly colour: string;
  readonly values: readonly (number | null)[];
  /** Bars instead of a line. */
  readonly bars?: boolean;
}

export interface PlotInput {
  /** Epoch ms. */
  readonly times: readonly number[];
  readonly lines: readonly PlotLine[];
  readonly show: (value: number) => string;
}

/** Steps of the axis of values: no halves of things. */
const steps = [1, 2, 5]
  .flatMap((digit) => Array.from({ length: 9 }, (_, power) => digit * 10 ** power))
  .sort((a, b) => a - b);

const hour = new Intl.DateTimeFormat("en-GB", { hour: "2-digit", minute: "2-digit" });

const height = 148;

/** Opens a plot in an element; call the answer to close it. */
export function openPlot(element: HTMLElement, { times, lines, show }: PlotInput): () => void {
  const styles = getComputedStyle(document.body);
  const probe = document.createElement("span");
  element.append(probe);
  /** The colour as the browser computes it: `light-dark` is not known in a canvas. */
  const colour = (name: string): string => {
    probe.style.color = `var(${name})`;
    return getComputedStyle(probe).color;
  };
  const font = `11px ${styles.fontFamily}`;
  const axis = { stroke: colour("--dim"), font, ticks: { show: false }, grid: { stroke: colour("--line"), width: 1 } };
  const bars = uPlot.paths.bars?.({ size: [0.8, 24] });
  const plot = new uPlot(
    {
      width: element.clientWidth,
      height,
      padding: [8, 8, 0, 0],
      legend: { show: false },
      cursor: { show: true, y: false, points: { size: 5 } },
      axes: [
        {
          ...axis,
          grid: { show: false },
          size: 24,
          space: 72,
          values: (_, splits) => splits.map((at) => hour.format(at * 1_000)),
        },
        { ...axis, size: 56, space: 32, incrs: steps, values: (_, splits) => splits.map(show) },
      ],
      scales: { y: { range: (_, __, most) => [0, Math.max(1, most * 1.1)] } },
      series: [
        {},
        ...lines.map((line) => ({
          label: line.label,
          stroke: colour(line.colour),
          width: line.bars ? 0 : 1.5,
          points: { show: line.bars !== true, size: 4, fill: colour(line.colour) },
          ...(line.bars && bars ? { fill: colour(line.colour), paths: bars } : {}),
        })),
      ],
    },
    [times.map((at) => at / 1_000), ...lines.map(({ values }) => [...values])],
    element,
  );
  probe.remove();
  const watch = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height }));
  watch.observe(element);
  return () => {
    watch.disconnect();
    plot.destroy();
  };
}
