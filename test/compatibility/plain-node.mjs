/**
 * The reference: runs a component in Node itself, with Node's own modules and packages and a minimal environment. Every
 * request goes to the fake upstream with its original URL. Jobs and results are messages of the process.
 */
import http from "node:http";
import https from "node:https";
import { syncBuiltinESMExports } from "node:module";
import { pathToFileURL } from "node:url";

let isDirect = false;
let upstream = new URL("http://127.0.0.1");

const plainFetch = globalThis.fetch;
const redirections = new Set([301, 302, 303, 307, 308]);

/** Where an answer sends a request on to; undefined when it stays. */
function redirected(request, body, { status, headers }) {
  const location = headers.get("location");
  if (location === null || !redirections.has(status) || request.redirect !== "follow") return undefined;
  const url = new URL(location, request.url);
  const sent = new Headers(request.headers);
  if (url.origin !== new URL(request.url).origin) sent.delete("authorization");
  const becomesGet = status === 303 || (status < 303 && request.method === "POST");
  if (becomesGet) sent.delete("content-type");
  const { method, signal } = request;
  return new Request(url, { headers: sent, signal, ...(becomesGet ? { method: "GET" } : { method, body }) });
}

globalThis.fetch = async (input, init) => {
  if (isDirect) return plainFetch(input, init);
  const first = new Request(input, init);
  for (let request = first; ;) {
    const { method, signal, url } = request;
    const headers = new Headers(request.headers);
    headers.set("x-original-url", url);
    const body = request.body === null ? undefined : new Uint8Array(await request.arrayBuffer());
    const answer = await plainFetch(upstream, { method, headers, body, redirect: "manual", signal });
    const next = redirected(request, body, answer);
    if (!next) {
      return Object.defineProperties(answer, { url: { value: url }, redirected: { value: request !== first } });
    }
    request = next;
  }
};

/** The URL that options of http.request mean. */
function urlOf(options, scheme) {
  const host = options.hostname ?? options.host ?? "localhost";
  const shown = host.includes(":") ? `[${host}]` : host;
  const port = options.port ? `:${options.port}` : "";
  return new URL(`${options.protocol ?? scheme}//${shown}${port}${options.path ?? "/"}`).href;
}

const plainRequest = http.request.bind(http);

function divert(module, scheme) {
  const direct = module.request.bind(module);
  module.request = (...given) => {
    if (isDirect) return direct(...given);
    const callback = given.find((each) => typeof each === "function");
    const [first, second] = given;
    const url = typeof first === "string" || first instanceof URL ? new URL(first) : undefined;
    const own = url === undefined ? first : typeof second === "object" ? second : {};
    const path = url && url.pathname + url.search;
    const options = { ...(url && { hostname: url.hostname, port: url.port, path, protocol: url.protocol }), ...own };
    const { method, headers = {}, timeout, signal, auth } = options;
    const asked = new URL(urlOf(options, scheme));
    const target = { host: upstream.hostname, port: upstream.port, path: options.path, method, timeout, signal, auth };
    const sent = plainRequest({ ...target, headers: { ...headers, "x-original-url": asked.href } }, callback);
    return Object.assign(sent, { host: asked.hostname, protocol: asked.protocol });
  };
  module.get = (...given) => module.request(...given).end();
}
divert(http, "http:");
divert(https, "https:");
syncBuiltinESMExports();

const isApp = (definition) => definition?.type === "app" && typeof definition === "object";

/** An object whose functions are bound to it. */
function bindMethods(target, methods = {}) {
  for (const [name, method] of Object.entries(methods))
    if (typeof method === "function") target[name] = method.bind(target);
  return target;
}

function selfOf(component, { props: values = {}, auth = {} }, done) {
  const self = {
    $emit(event, { id, summary } = {}) {
      done.emit({
        event,
        ...(id !== undefined && { id: String(id) }),
        ...(summary !== undefined && { summary: String(summary) }),
      });
    },
  };
  for (const [name, given] of Object.entries(component.props ?? {})) {
    const prop = typeof given === "string" ? { type: given } : given;
    if (prop.type === "$.service.db") {
      self[name] = { get: (key) => done.get(key), set: (key, value) => done.set(key, value) };
    } else if (prop.type === "data_store" && values[name] !== undefined) {
      self[name] = done.dataStore(values[name]);
    } else if (prop.type === "$.interface.http") {
      self[name] = { endpoint: "http://127.0.0.1/in/key/", respond: (response) => done.respond(response) };
    } else if (prop.type === "$.interface.timer") {
      self[name] = { ...(prop.static ?? prop.default), type: prop.type };
    } else if (isApp(prop)) {
      self[name] = bindMethods({ $auth: auth[name] ?? {} }, prop.methods);
    } else {
      const value = values[name] ?? prop.static ?? prop.default;
      if (value !== undefined) self[name] = value;
    }
  }
  return bindMethods(self, component.methods);
}

/** A data store whose values are JSON texts in a map. */
const dataStoreOf = (values) => {
  const sorted = () => [...values.keys()].sort((a, b) => (a < b ? -1 : 1));
  return {
    get: async (key) => (values.has(key) ? JSON.parse(values.get(key)) : undefined),
    set: async (key, value) => void values.set(key, JSON.stringify(value)),
    has: async (key) => values.has(key),
    delete: async (key) => values.delete(key),
    keys: async () => sorted(),
    entries: async () => sorted().map((key) => [key, JSON.parse(values.get(key))]),
    size: async () => values.size,
  };
};

/** What a hosted runtime does for a source whose timer is the event. */
function emitTick(tick) {
  this.$emit(tick, { id: tick.timestamp });
}

/** Nested promises and all that the event loop still holds of a call. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

async function runJob({ file, steps, ...job }) {
  const { default: component } = await import(pathToFileURL(file).href);
  const stored = new Map();
  const dataStores = new Map();
  const seen = new Set();
  const records = [];
  const call = async (entry, method, event) => {
    const record = { entry, outcome: "ok", emits: [], response: null, db: {} };
    const done = {
      emit(emitted) {
        const isKnown = component.dedupe === "unique" && seen.has(emitted.id);
        if (component.dedupe === "unique") seen.add(emitted.id);
        if (!isKnown) record.emits.push(JSON.parse(JSON.stringify(emitted)));
      },
      get: (key) => (stored.has(key) ? JSON.parse(stored.get(key)) : undefined),
      set(key, value) {
        stored.set(key, JSON.stringify(value));
        record.db[key] = JSON.parse(JSON.stringify(value));
      },
      dataStore(name) {
        if (!dataStores.has(name)) dataStores.set(name, new Map());
        return dataStoreOf(dataStores.get(name));
      },
      respond(response) {
        record.response ??= response;
      },
    };
    try {
      await method?.call(selfOf(component, job, done), event);
    } catch (error) {
      record.outcome = error instanceof Error ? `${error.name}: ${error.message}` : `thrown ${String(error)}`;
    }
    await settled();
    if (method) records.push(record);
  };
  await call("deploy", component.hooks?.deploy);
  await call("activate", component.hooks?.activate);
  for (const step of steps) await call("run", component.run ?? emitTick, step.run ?? step.request);
  await call("deactivate", component.hooks?.deactivate);
  return records;
}

process.on("message", async ({ id, upstream: url, direct = false, ...job }) => {
  upstream = new URL(url);
  isDirect = direct;
  try {
    process.send({ id, records: await runJob(job) });
  } catch (error) {
    process.send({ id, failure: String(error?.stack ?? error) });
  }
});
