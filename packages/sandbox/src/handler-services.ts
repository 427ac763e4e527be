import { format } from "node:util";

import type { Json } from "@x/model";
import { readAnswer } from "./handler-answer.ts";
import type { HandlerServices, RunContext } from "./handler-contract.ts";
import type { CallHost, SandboxCall } from "./contract.ts";
import { channelOf } from "./channel.ts";
import { readEmitTime, secondsWarning } from "./emit-time.ts";
import { isList } from "./thread/guest-results.ts";
import { EffectGate, type EffectRules, storedMeta } from "./thread/effects.ts";

export interface ServiceParts {
  readonly call: SandboxCall;
  readonly host: CallHost;
  readonly rules: Omit<EffectRules, "dedupe">;
  readonly now: () => number;
  /** The run has ended: further calls have no effect and do not throw. */
  isOver(): boolean;
  /** Ends the run with success. */
  exit(): void;
}

class Refused extends Error {
  constructor(refusal: string) {
    const cut = refusal.indexOf("\n");
    super(refusal.slice(cut + 1));
    this.name = refusal.slice(0, cut);
  }
}

/** JSON text of a value. Throws an error of this name for a value that JSON cannot hold. */
function jsonText(value: unknown, what: string, errorName: string): string {
  let text: string | undefined;
  let problem = `${what} is a ${typeof value}, which JSON cannot hold`;
  try {
    text = JSON.stringify(value);
  } catch (error) {
    problem = `${what} cannot be written as JSON: ${error instanceof Error ? error.message : String(error)}`;
  }
  if (text === undefined) throw new Refused(`${errorName}\n${problem}`);
  return text;
}

const readText = (value: unknown): string | undefined =>
  typeof value === "string" || typeof value === "number" || typeof value === "bigint" ? String(value) : undefined;

const ignored =
  "$.respond is ignored: only a run that a request to a trigger with customResponse: true started can answer";

function shown(show: () => string): string {
  try {
    return show();
  } catch {
    return "a value that cannot be shown";
  }
}

/** The JSON value that is logged: the value itself, or its text if JSON cannot hold it. */
function jsonOf(value: unknown): Json {
  try {
    return JSON.parse(JSON.stringify(value) ?? "null") as Json;
  } catch {
    return shown(() => String(value));
  }
}

/** Creates the `$` of a handler: the effects of a component, with the same limits. */
export function createServices(parts: ServiceParts): HandlerServices {
  const { call, host, rules, now, isOver } = parts;
  const gate = new EffectGate({ ...rules, dedupe: undefined }, JSON.stringify({ db: Object.fromEntries(call.db) }));
  const values = new Map(call.db);
  const check = (refusal: string | undefined): void => {
    if (refusal !== undefined) throw new Refused(refusal);
  };
  const write = (key: string, text: string | undefined): void => {
    if (key === "") throw new TypeError("A db key must not be empty");
    check(gate.dbSet(key, text));
    host.dbSet(key, text);
    if (text === undefined) values.delete(key);
    else values.set(key, text);
  };
  const record = (level: "log" | "info" | "warn", text: string, data: readonly Json[]): void => {
    const msg = gate.cut(text);
    const dataText = JSON.stringify(data);
    const isWhole = gate.cut(dataText) === dataText && isList(dataText);
    host.log({ level, msg, data: isWhole ? dataText : JSON.stringify([msg]), at: now() });
  };
  const warn = (text: string): void => record("warn", text, []);
  let answered = false;
  let warnedOfSeconds = false;
  const customResponse = call.httpProp !== undefined && call.self.http[call.httpProp]?.customResponse === true;

  return {
    context: call.workflow?.context as unknown as RunContext,
    send: {
      emit(event, metadata = {}) {
        if (isOver()) return;
        const payload = event === undefined ? "null" : jsonText(event, "event", "EmitSerializationError");
        const [id, summary, name] = [metadata.id, metadata.summary, metadata.name].map(readText);
        const { ms: ts, seemsSeconds } = readEmitTime(metadata.ts);
        if (seemsSeconds && !warnedOfSeconds) warn(secondsWarning(metadata.ts));
        warnedOfSeconds ||= seemsSeconds;
        const meta = {
          ...(id !== undefined && { id }),
          ...(summary !== undefined && { summary }),
          ...(name !== undefined && { name }),
          ...(ts !== undefined && { ts }),
        };
        check(gate.emit(meta, payload, JSON.stringify(meta)));
        const { name: _name, ...stored } = storedMeta(meta, rules);
        host.emit({ payload, at: now(), ...stored, ...channelOf(meta.name) });
      },
    },
    flow: {
      exit(reason) {
        if (isOver()) return;
        const why = reason === undefined ? "" : `: ${reason}`;
        record("info", `The workflow ended${why}`, []);
        parts.exit();
      },
    },
    respond(answer) {
      if (isOver()) return;
      const response = readAnswer(answer, (body) => jsonText(body, "The body of $.respond", "TypeError"));
      check(gate.response(response.body));
      if (customResponse && !answered) host.respond(response);
      else warn(answered ? "$.respond was called again; the first answer was sent" : ignored);
      answered = customResponse;
    },
    log(...given) {
      if (isOver()) return;
      record(
        "log",
        shown(() => format(...given)),
        given.map(jsonOf),
      );
    },
    db: {
      get(key) {
        const text = values.get(key);
        return text === undefined ? undefined : (JSON.parse(text) as Json);
      },
      set(key, value) {
        if (isOver()) return;
        write(key, value === undefined ? undefined : jsonText(value, `The value of db key "${key}"`, "TypeError"));
      },
      delete(key) {
        const known = values.has(key);
        if (known && !isOver()) write(key, undefined);
        return known;
      },
      has: (key) => values.has(key),
      keys: (prefix = "") => [...values.keys()].filter((key) => key.startsWith(prefix)).sort(),
    },
  };
}
