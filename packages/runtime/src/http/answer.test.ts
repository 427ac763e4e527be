import { describe, expect, it } from "vitest";

import { defaultAnswer, finalResponse, preflightAnswer, statusAnswer } from "./answer.ts";

const text = (body: Uint8Array): string => new TextDecoder().decode(body);
const bytes = (body: string): Uint8Array => new TextEncoder().encode(body);

describe("responses of the runtime", () => {
  it("G29 answers 200 with a tiny body", () => {
    const answer = defaultAnswer();
    expect(answer.status).toBe(200);
    expect(text(answer.body)).toBe('{"ok":true}');
  });

  it("G37 allows every origin and the methods of endpoints", () => {
    const answer = preflightAnswer("authorization, x-a");
    const headers = Object.fromEntries(answer.headers);
    expect(answer.status).toBe(204);
    expect(answer.body).toHaveLength(0);
    expect(headers).toMatchObject({
      "access-control-allow-origin": "*",
      "access-control-allow-methods": "GET,HEAD,PUT,PATCH,POST,DELETE",
      "access-control-allow-headers": "authorization, x-a",
    });
    expect(Object.fromEntries(preflightAnswer("a\r\nset-cookie: x").headers)["access-control-allow-headers"]).toBe("*");
  });

  it("G30 and G34 answer other statuses with an error body", () => {
    for (const status of [404, 413, 429, 500, 503, 504] as const) {
      const answer = statusAnswer(status);
      expect(answer.status).toBe(status);
      expect(JSON.parse(text(answer.body))).toEqual({
        error: expect.any(String),
        code: expect.any(String),
        details: {},
      });
    }
    expect(statusAnswer(429, { retryAfterSeconds: 3 }).headers).toContainEqual(["retry-after", "3"]);
  });
});

describe("finalResponse", () => {
  const response = (status: number, headers: [string, string][] = []) => ({ status, headers, body: bytes("body") });

  it("R060 sends exactly the response of the component", () => {
    const headers: [string, string][] = [
      ["Content-Type", "text/plain"],
      ["Set-Cookie", "a=1"],
      ["Set-Cookie", "b=2"],
    ];
    const answer = finalResponse("POST", response(418, headers));
    expect({ ...answer, body: text(answer.body) }).toEqual({ status: 418, headers, body: "body" });
  });

  it("has no body for HEAD and for 204, 205 and 304", () => {
    expect(finalResponse("head", response(200)).body).toHaveLength(0);
    for (const status of [204, 205, 304]) expect(finalResponse("GET", response(status)).body).toHaveLength(0);
  });

  it("drops headers of the connection, those it names, the length, and unsafe ones", () => {
    const answer = finalResponse(
      "GET",
      response(200, [
        ["Connection", "close, X-Private"],
        ["x-private", "1"],
        ["Transfer-Encoding", "chunked"],
        ["Keep-Alive", "timeout=5"],
        ["Upgrade", "h2c"],
        ["Content-Length", "9999"],
        ["x split", "1"],
        ["x-break", "a\r\nset-cookie: b"],
        ["x-nul", "a\0b"],
        ["x-kept", "é €"],
      ]),
    );
    expect(answer.headers).toEqual([["x-kept", Buffer.from("é €").toString("latin1")]]);
  });

  it("drops headers that apply to the whole origin", () => {
    const names = ["Service-Worker-Allowed", "Clear-Site-Data", "Strict-Transport-Security", "NEL", "Alt-Svc"];
    const given = names.map((name): [string, string] => [name, "/"]);
    const answer = finalResponse("GET", response(200, [...given, ["cache-control", "no-store"]]));
    expect(answer.headers).toEqual([["cache-control", "no-store"]]);
  });

  it("answers 500 for a status that cannot end an exchange", () => {
    for (const status of [100, 101, 199, 600, 0, 200.5, Number.NaN]) {
      expect(finalResponse("GET", response(status)).status).toBe(500);
    }
  });
});
