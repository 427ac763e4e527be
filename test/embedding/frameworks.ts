/** The app inside servers of other people, as docs/embedding.md says. */
import { once } from "node:events";
import { createServer, type IncomingMessage, type RequestListener, type ServerResponse } from "node:http";
import { createRequire } from "node:module";
import type { AddressInfo } from "node:net";
import { buffer } from "node:stream/consumers";

import { type HttpBindings, serve } from "@hono/node-server";
import type { NestExpressApplication } from "@nestjs/platform-express";
import { type App, clientOf, toNodeListener } from "@x/server";
import express from "express";
import fastify from "fastify";
import { Hono } from "hono";
import Koa from "koa";
import serverless from "serverless-http";

/** What happens to a body before the app is called: nothing, another handler reads it, or reads it and keeps its bytes. */
export type Before = "unread" | "read" | "kept";

export interface Mounted {
  readonly port: number;
  close(): Promise<unknown>;
}

export interface Mount {
  readonly app: App;
  /** Where the app is mounted: `/events`, or "" for everything. */
  readonly path: string;
  readonly before: Before;
}

async function listening(listener: RequestListener): Promise<Mounted> {
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  return {
    port: (server.address() as AddressInfo).port,
    close: async () => server.close(),
  };
}

/** A body parser of a server without a framework. */
async function parse(request: IncomingMessage, before: Before): Promise<void> {
  if (before === "unread") return;
  const bytes = await buffer(request);
  if (before === "kept") Object.assign(request, { rawBody: bytes });
}

const below = (url: string | undefined, path: string): boolean => url?.startsWith(`${path}/`) ?? false;

function withNode({ app, path, before }: Mount): Promise<Mounted> {
  const events = toNodeListener(app);
  return listening(async (request, response) => {
    await parse(request, before);
    if (below(request.url, path)) events(request, response);
    else response.end("mine");
  });
}

type Express = typeof express;
const require = createRequire(import.meta.url);
const express4 = require("express-4") as Express;

const keep = (request: IncomingMessage, _response: unknown, bytes: Buffer): void =>
  void Object.assign(request, { rawBody: bytes });

const withExpress =
  (create: Express) =>
  ({ app, path, before }: Mount): Promise<Mounted> => {
    const web = create();
    if (before !== "unread") web.use(create.json(before === "kept" ? { verify: keep } : {}));
    web.use(path || "/", toNodeListener(app));
    return listening(web);
  };

function withExpressRaw({ app, path }: Mount): Promise<Mounted> {
  const web = express();
  web.use(express.raw({ type: "*/*" }));
  web.use(path || "/", toNodeListener(app));
  return listening(web);
}

async function withFastify({ app, path, before }: Mount): Promise<Mounted> {
  const web = fastify();
  const events = toNodeListener(app);
  await web.register(async (scope) => {
    if (before === "unread") {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser("*", (_request, _body, done) => done(null));
    }
    if (before === "kept") {
      scope.removeAllContentTypeParsers();
      scope.addContentTypeParser("*", { parseAs: "buffer" }, (request, body, done) => {
        Object.assign(request.raw, { rawBody: body });
        done(null, body);
      });
    }
    scope.all(`${path}/*`, (request, reply) => {
      reply.hijack();
      events(request.raw, reply.raw);
    });
  });
  await web.listen({ port: 0, host: "127.0.0.1" });
  return { port: (web.server.address() as AddressInfo).port, close: () => web.close() };
}

function withKoa({ app, path, before }: Mount): Promise<Mounted> {
  const web = new Koa();
  const events = toNodeListener(app);
  web.use(async (context, next) => {
    await parse(context.req, before);
    if (!below(context.url, path)) return next();
    context.respond = false;
    events(context.req, context.res);
  });
  return listening((request, response) => void web.callback()(request, response));
}

/** Without the adapter's own `Request` and `Response` as globals: other tests compare those with Node's. */
const onLoopback = { port: 0, hostname: "127.0.0.1", overrideGlobalObjects: false };

async function withHono({ app, path, before }: Mount): Promise<Mounted> {
  const web = new Hono<{ Bindings: HttpBindings }>();
  if (before !== "unread")
    web.use(async (c, next) => {
      if (c.req.raw.body) await (before === "kept" ? c.req.arrayBuffer() : c.req.json());
      await next();
    });
  if (before === "kept")
    web.all(`${path}/*`, async (c) =>
      app.fetch(c.req.raw, { ...clientOf(c.env.incoming), body: await c.req.arrayBuffer() }),
    );
  web.all(`${path}/*`, (c) => app.fetch(c.req.raw, clientOf(c.env.incoming)));
  const server = serve({ fetch: web.fetch, ...onLoopback });
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, close: async () => server.close() };
}

class Root {
  readonly isEmpty = true;
}

const ownReflect = Reflect;
/** Nest's polyfill adds members to `Reflect` for good, and other tests compare that with Node's: it gets a copy. */
const nestReflect = Object.create(Object.prototype, Object.getOwnPropertyDescriptors(Reflect)) as typeof Reflect;

async function loadNest() {
  globalThis.Reflect = nestReflect;
  await import("reflect-metadata");
  const { Module } = await import("@nestjs/common");
  const { NestFactory } = await import("@nestjs/core");
  Module({})(Root);
  return NestFactory;
}

function unloadNest(): void {
  globalThis.Reflect = ownReflect;
}

async function withNest({ app, path, before }: Mount): Promise<Mounted> {
  const rawBody = before === "kept";
  const NestFactory = await loadNest();
  const web = await NestFactory.create<NestExpressApplication>(Root, { rawBody, logger: false });
  if (before !== "unread") web.useBodyParser("json");
  web.use(path || "/", toNodeListener(app));
  await web.listen(0, "127.0.0.1");
  return {
    port: (web.getHttpServer().address() as AddressInfo).port,
    close: () => web.close().finally(unloadNest),
  };
}

/** The status of a request to an app that is mounted after Nest's own routes. */
export async function statusAfterInit(app: App): Promise<number> {
  const NestFactory = await loadNest();
  const web = await NestFactory.create<NestExpressApplication>(Root, { logger: false });
  await web.init();
  web.use("/events", toNodeListener(app));
  await web.listen(0, "127.0.0.1");
  const { port } = web.getHttpServer().address() as AddressInfo;
  const { status } = await fetch(`http://127.0.0.1:${port}/events/healthz`);
  await web.close().finally(unloadNest);
  return status;
}

/** A request as frameworks give it that are not built on Node's server. */
function plainRequest({ url, method, headers, body }: Request): Request {
  return new Request(url, { method, headers, body, ...(body && { duplex: "half" }) });
}

/** A handler of requests and responses of the Web, as a route of Next's app folder is. */
async function withFetch({ app, before }: Mount): Promise<Mounted> {
  const handler = async (request: Request): Promise<Response> => {
    if (before === "unread" || !request.body) return app.fetch(request);
    const body = await request.arrayBuffer();
    return before === "kept" ? app.fetch(request, { body }) : app.fetch(request);
  };
  const server = serve({ fetch: (request) => handler(plainRequest(request)), ...onLoopback });
  await once(server, "listening");
  return { port: (server.address() as AddressInfo).port, close: async () => server.close() };
}

interface LambdaAnswer {
  readonly statusCode: number;
  readonly headers: Record<string, string>;
  readonly body: string;
  readonly isBase64Encoded: boolean;
}

/** A gateway that turns requests into events of functions. */
function withServerless({ app, before }: Mount): Promise<Mounted> {
  const events = toNodeListener(app);
  const parsing = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    await parse(request, before);
    events(request, response);
  };
  const handler = before === "unread" ? serverless(toNodeListener(app)) : serverless(parsing);
  return listening(async (request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? "", "http://gateway.test");
    const answer = (await handler(
      {
        version: "1.0",
        httpMethod: request.method,
        path: pathname,
        headers: request.headers,
        queryStringParameters: Object.fromEntries(searchParams),
        requestContext: { identity: { sourceIp: "127.0.0.1" } },
        body: (await buffer(request)).toString("base64"),
        isBase64Encoded: true,
      },
      {},
    )) as LambdaAnswer;
    response.writeHead(answer.statusCode, answer.headers);
    response.end(Buffer.from(answer.body, answer.isBase64Encoded ? "base64" : "utf8"));
  });
}

export const frameworks: Readonly<Record<string, (mount: Mount) => Promise<Mounted>>> = {
  "node:http": withNode,
  "Express 4": withExpress(express4),
  "Express 5": withExpress(express),
  "Express 5 with express.raw": withExpressRaw,
  Fastify: withFastify,
  Koa: withKoa,
  Hono: withHono,
  Nest: withNest,
  "a fetch handler": withFetch,
  "serverless-http": withServerless,
};
