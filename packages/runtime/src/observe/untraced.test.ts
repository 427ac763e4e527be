import { execFile } from "node:child_process";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { expect, it } from "vitest";

const built = fileURLToPath(new URL("../../dist/bundled/index.js", import.meta.url));

/** Runs a component that sends a request, and prints whether the API was loaded and whether the request had the header. */
const script = `
  import { registerHooks } from "node:module";
  let loaded = false;
  registerHooks({ resolve(specifier, context, next) {
    if (specifier.startsWith("@opentelemetry/")) loaded = true;
    return next(specifier, context);
  } });
  const { createRuntime } = await import(${JSON.stringify(built)});
  let header;
  const exchange = async ({ headers }) => {
    header = headers.some(([name]) => name.toLowerCase() === "traceparent");
    return { status: 200, headers: [], body: new Uint8Array() };
  };
  const runtime = await createRuntime({ workers: 0, network: { exchange } });
  const code = 'export default { name: "T", version: "1", async run() { await fetch("https://a.test/") } }';
  const { source } = await runtime.deploy({ code });
  const { status } = await runtime.invoke(source.id);
  await runtime.close();
  console.log(JSON.stringify({ status, loaded, header }));
`;

it("without an SDK nothing of OpenTelemetry is loaded, and requests get no header", async () => {
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
  expect(JSON.parse(stdout)).toEqual({ status: "ok", loaded: false, header: false });
});

it("with something registered the API is loaded at the start", async () => {
  const registered = `globalThis[Symbol.for("opentelemetry.js.api.1")] = { version: "1.10.0", trace: undefined };${script}`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", registered]);
  expect(JSON.parse(stdout)).toEqual({ status: "ok", loaded: true, header: false });
});
