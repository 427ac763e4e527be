/** A line of a chart: pairs of x and y. */
export interface ChartLine {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
}

export interface Chart {
  readonly title: string;
  readonly xLabel: string;
  readonly yLabel: string;
  readonly lines: readonly ChartLine[];
}

const [width, height, left, bottom, top, right] = [640, 320, 64, 48, 40, 16];
const colours = ["#2563eb", "#d97706", "#059669", "#db2777"];

/** The next of 1, 2, 5, 10, … times a power of ten, so that at most five steps reach `most`. */
function stepFor(most: number): number {
  const power = 10 ** Math.floor(Math.log10(most / 5));
  return ([1, 2, 5, 10].find((factor) => factor * power * 5 >= most) ?? 10) * power;
}

const steps = (most: number): readonly number[] => {
  const step = stepFor(most);
  return Array.from({ length: Math.ceil(most / step) + 1 }, (_, index) => index * step);
};

/** Draws lines over two linear axes that begin at 0. */
export function drawChart({ title, xLabel, yLabel, lines }: Chart): string {
  const all = lines.flatMap(({ points }) => points);
  const xs = steps(Math.max(...all.map(([x]) => x)));
  const ys = steps(Math.max(...all.map(([, y]) => y)));
  const at = (x: number): number => left + (x / (xs.at(-1) ?? 1)) * (width - left - right);
  const up = (y: number): number => height - bottom - (y / (ys.at(-1) ?? 1)) * (height - bottom - top);
  const text = (x: number, y: number, anchor: string, words: string, rest = ""): string =>
    `<text x="${x.toFixed(1)}" y="${y.toFixed(1)}" text-anchor="${anchor}"${rest}>${words}</text>`;
  const marks = [
    ...xs.map((x) => text(at(x), height - bottom + 16, "middle", x.toLocaleString("en"))),
    ...ys.map(
      (y) =>
        `<path d="M${left} ${up(y).toFixed(1)}H${width - right}" stroke="#ddd"/>${text(left - 6, up(y) + 4, "end", String(Number(y.toPrecision(6))))}`,
    ),
  ];
  const drawn = lines.flatMap(({ name, points }, index) => {
    const colour = colours[index % colours.length] ?? "";
    const path = points
      .map(([x, y], point) => `${point === 0 ? "M" : "L"}${at(x).toFixed(1)} ${up(y).toFixed(1)}`)
      .join("");
    const dots = points.map(
      ([x, y]) => `<circle cx="${at(x).toFixed(1)}" cy="${up(y).toFixed(1)}" r="3" fill="${colour}"/>`,
    );
    const label = text(left + 12, top + 12 + index * 16, "start", name, ` fill="${colour}"`);
    return [`<path d="${path}" fill="none" stroke="${colour}" stroke-width="2"/>`, ...dots, label];
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="11">`,
    `<rect width="${width}" height="${height}" fill="#fff"/>`,
    text(left, 20, "start", title, ' font-size="14"'),
    ...marks,
    text((left + width - right) / 2, height - 10, "middle", xLabel),
    text(12, top - 8, "start", yLabel),
    ...drawn,
    "</svg>\n",
  ].join("\n");
}
