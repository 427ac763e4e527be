import { log, monotonicMs } from "./host.ts";
import { inspect } from "./inspect.ts";
import { describeThrown } from "./thrown.ts";

const { stringify } = JSON;

/** A JSON-safe copy of a log argument: other values become text. */
function plain(value: unknown): unknown {
  if (value === undefined || typeof value === "function" || typeof value === "symbol" || typeof value === "bigint") {
    return inspect(value, 1);
  }
  if (value instanceof Error) return describeThrown(value);
  if (typeof value !== "object" || value === null) return value;
  try {
    return JSON.parse(stringify(value)) as unknown;
  } catch {
    return inspect(value);
  }
}

function formatNumber(spec: string, arg: unknown): string {
  if (typeof arg === "symbol") return "NaN";
  if (spec === "%f") return inspect(parseFloat(String(arg)));
  if (typeof arg === "bigint") return `${arg}n`;
  if (spec === "%i") return inspect(parseInt(String(arg), 10));
  return inspect(typeof arg === "object" ? Number.NaN : Number(arg));
}

function format(args: unknown[]): string {
  const [first, ...rest] = args;
  if (typeof first !== "string" || rest.length === 0 || !first.includes("%"))
    return args.map((arg) => inspect(arg)).join(" ");
  const text = first.replace(/%[sdifjoOc%]/g, (spec) => {
    if (spec === "%%") return "%";
    if (rest.length === 0) return spec;
    const arg = rest.shift();
    if (spec === "%d" || spec === "%i" || spec === "%f") return formatNumber(spec, arg);
    if (spec === "%j") return stringify(arg) ?? "undefined";
    return spec === "%c" ? "" : inspect(arg, spec === "%s" ? 0 : 1);
  });
  return [text, ...rest.map((arg) => inspect(arg))].join(" ");
}

function write(level: string, args: unknown[]): void {
  let msg: string;
  let data: string;
  try {
    msg = format(args);
    data = stringify(args.map(plain));
  } catch {
    msg = "(a value that cannot be logged)";
    data = "[]";
  }
  log(level, msg, data);
}

export function createConsole(): object {
  const timers = new Map<string, number>();
  const counts = new Map<string, number>();
  const elapsed = (label: string): string =>
    `${label}: ${(monotonicMs() - (timers.get(label) ?? monotonicMs())).toFixed(3)}ms`;
  const line =
    (level: string) =>
    (...args: unknown[]): void =>
      write(level, args);
  return {
    log: line("log"),
    info: line("info"),
    warn: line("warn"),
    error: line("error"),
    debug: line("debug"),
    trace: line("debug"),
    dir: (value: unknown) => write("log", [value]),
    table: line("log"),
    group: line("log"),
    groupCollapsed: line("log"),
    groupEnd: () => undefined,
    assert: (condition: unknown, ...args: unknown[]) => {
      if (!condition) write("error", ["Assertion failed", ...args]);
    },
    count: (label = "default") => {
      counts.set(label, (counts.get(label) ?? 0) + 1);
      write("log", [`${label}: ${counts.get(label)}`]);
    },
    countReset: (label = "default") => counts.delete(label),
    time: (label = "default") => timers.set(label, monotonicMs()),
    timeLog: (label = "default") => write("log", [elapsed(label)]),
    timeEnd: (label = "default") => {
      write("log", [elapsed(label)]);
      timers.delete(label);
    },
  };
}
