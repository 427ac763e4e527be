import type { ServerResponse } from "node:http";

import { expect, test, vi } from "vitest";

import { EnvironmentError } from "../errors.ts";
import { serveLoopback } from "../loopback.cases.ts";
import { startHere } from "../run-here.cases.ts";
import { readEvent, tellState } from "./event-stream.ts";
import { openClient } from "./service-flags.ts";

type Handle = (lastEventId: string, response: ServerResponse) => void;

/** A service that answers each connection as the next of `answers` does. */
function serve(answers: readonly Handle[]): ReturnType<typeof serveLoopback> {
  const left = [...answers];
  return serveLoopback((request, response) => {
    const answer = left.shift();
    if (answer) answer(String(request.headers["last-event-id"]), response);
    else response.end();
  });
}

const stream = (response: ServerResponse): ServerResponse =>
  response.writeHead(200, { "content-type": "text/event-stream" });
const refuse = (response: ServerResponse, status: number, code: string): void => {
  response.writeHead(status).end(JSON.stringify({ error: "No.", code, details: {} }));
};

interface ReceivedSignal {
  readonly data: unknown[];
  readonly notices: string[];
  readonly failure: unknown;
}

/** Follows until `count` events came or it ends by itself. */
async function hear(url: string, count: number): Promise<ReceivedSignal> {
  const stop = new AbortController();
  const notices: string[] = [];
  const spy = vi.spyOn(console, "error").mockImplementation((text: string) => void notices.push(text));
  const data: unknown[] = [];
  const events = openClient(url, "k", stop.signal).follow("GET /sources/{id}/sse", {
    path: { id: "dc_1" },
    lastEventId: "0-0",
    signal: stop.signal,
    onState: tellState(),
  });
  try {
    for await (const given of events) {
      const event = readEvent(given);
      if (event !== undefined && data.push(event) === count) stop.abort();
    }
    return { data, notices, failure: undefined };
  } catch (failure) {
    return { data, notices, failure };
  } finally {
    spy.mockRestore();
  }
}

test("after a broken connection x reconnects from the last event, also while the service starts", async () => {
  const asked: string[] = [];
  await using service = await serve([
    (id, response) => {
      asked.push(id);
      stream(response).write(": connected\nretry: 1\n\nid: 1-0\ndata: 1\n\nid: 2-0\ndata: 2\n\nid: 3-0\ndata: cut");
      response.socket?.end();
    },
    (id, response) => {
      asked.push(id);
      refuse(response, 503, "closed");
    },
    (id, response) => {
      asked.push(id);
      stream(response).write('event: gap\ndata: {"after":"2-0","oldest":"3-0"}\n\nid: 3-0\ndata: 3\n\n');
    },
  ]);
  const heard = await hear(service.url, 3);
  expect(heard).toEqual({
    data: [1, 2, 3],
    notices: [
      "the connection is broken; reconnecting",
      "reconnected",
      "some events are gone, because only the newest are kept; the next one is 3-0",
    ],
    failure: undefined,
  });
  expect(asked).toEqual(["0-0", "2-0", "2-0"]);
});

test("what another try cannot mend ends it: the source was deleted meanwhile", async () => {
  await using service = await serve([
    (_, response) => stream(response).end("retry: 1\n\nid: 1-0\ndata: 1\n\n"),
    (_, response) => refuse(response, 404, "not_found"),
  ]);
  expect(await hear(service.url, 2)).toMatchObject({ data: [1], failure: { code: "not_found" } });
});

test("a failed first connection is reported at once", async () => {
  const service = await serve([]);
  await service[Symbol.asyncDispose]();
  const { failure, notices } = await hear(service.url, 1);
  expect(failure).toBeInstanceOf(EnvironmentError);
  expect(String(failure)).toMatch(
    /no service answers at http:\/\/127\.0\.0\.1:\d+ \(connect ECONNREFUSED .*\); start one with x serve/,
  );
  expect(notices).toEqual([]);
});

test("a signal ends it while the service has yet to answer", async () => {
  const asked = Promise.withResolvers<void>();
  await using service = await serve([() => asked.resolve()]);
  await using x = startHere(["events", "dc_1", "--follow", "--url", service.url, "--api-key", "k"]);
  await asked.promise;
  x.hear("SIGINT");
  expect([await x.exit, x.out(), x.err()]).toEqual([0, "", ""]);
});
