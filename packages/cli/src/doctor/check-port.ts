import { createServer } from "node:net";

import { createCheck, type Finding } from "./finding.ts";

const check = createCheck("port");
const answerMs = 2_000;

/** The code of the error with which listening fails; undefined when it works. */
function tryPort(host: string, port: number): Promise<string | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once("error", (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)));
  });
}

async function isService(host: string, port: number): Promise<boolean> {
  const name = host === "0.0.0.0" || host === "::" ? "127.0.0.1" : host;
  try {
    const url = `http://${name.includes(":") ? `[${name}]` : name}:${port}/healthz`;
    const response = await fetch(url, { signal: AbortSignal.timeout(answerMs) });
    return response.ok && (await response.text()).trim() === '{"ok":true}';
  } catch {
    return false;
  }
}

/** Whether a service can listen there, or does. */
export async function checkPort(host: string, port: number): Promise<Finding> {
  const where = `${host}:${port}`;
  const code = await tryPort(host, port);
  if (code === undefined) return check.ok(`${where} is free`);
  if (code === "EADDRINUSE") {
    if (await isService(host, port)) return check.ok(`a service answers on ${where}`);
    return check.problem(
      `another program uses ${where}`,
      `stop it (ss -ltnp 'sport = :${port}'), or choose another --port`,
    );
  }
  if (code === "EACCES") {
    return check.problem(`this user may not listen on ${where}`, "choose a port from 1024 on, with a proxy before it");
  }
  if (code === "EADDRNOTAVAIL" || code === "ENOTFOUND") {
    return check.problem(
      `${host} is no address of this machine`,
      "choose another --host: 127.0.0.1, or 0.0.0.0 for all",
    );
  }
  return check.problem(`listening on ${where} fails (${code})`, "choose another --host or --port");
}
