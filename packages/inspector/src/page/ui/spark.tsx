import type { JSX } from "preact";

interface SparkProps {
  /** What it shows, for those who do not see it. */
  readonly label: string;
  /** Counts, oldest first. */
  readonly values: readonly number[];
  /** The part of each that failed. */
  readonly failed?: readonly number[];
  readonly width?: number;
  readonly height?: number;
}

/** Small bars side by side. */
export function Spark({ label, values, failed = [], width = 96, height = 20 }: SparkProps): JSX.Element {
  const most = Math.max(1, ...values.map((value, index) => value + (failed[index] ?? 0)));
  const step = width / Math.max(1, values.length);
  const scale = (value: number): number => (value === 0 ? 0 : Math.max(2, (value / most) * (height - 1)));
  return (
    <svg
      class="spark"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={label}
      preserveAspectRatio="none"
    >
      <rect class="base" x="0" y={height - 1} width={width} height="1" />
      {values.map((value, index) => {
        const bad = scale(failed[index] ?? 0);
        const good = scale(value);
        const x = index * step;
        return (
          <g key={index}>
            {good > 0 && <rect x={x} y={height - good - bad} width={step - 1} height={good} fill="currentColor" />}
            {bad > 0 && <rect class="failed" x={x} y={height - bad} width={step - 1} height={bad} />}
          </g>
        );
      })}
    </svg>
  );
}
