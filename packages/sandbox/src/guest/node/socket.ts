import type { Duplex } from "node:stream";
import { builtin } from "x:host";

import { unavailable } from "./unavailable.ts";

export type SocketType = { new (...given: unknown[]): Duplex; readonly prototype: object };
type Callable = (this: object, ...given: unknown[]) => unknown;

/** Members of a socket that was never connected. */
const closed = { connecting: false, pending: true, readyState: "closed", bytesRead: 0, bytesWritten: 0, timeout: 0 };
const returnsItself = ["setTimeout", "setNoDelay", "setKeepAlive", "ref", "unref"];

/**
 * A socket class: its objects can be created, extended and destroyed, not connected. A function, so that constructors
 * of older packages can call it on their own objects.
 */
function createType(name: string, parent: SocketType, initialize: (it: object, given: unknown[]) => void): SocketType {
  const type = function (this: object, ...given: unknown[]): unknown {
    if (!(this instanceof type)) return new (type as unknown as SocketType)(...given);
    initialize(this, given);
    return undefined;
  };
  Object.defineProperty(type, "name", { value: name, configurable: true });
  Object.setPrototypeOf(type, parent);
  Object.setPrototypeOf(type.prototype as object, parent.prototype);
  return type as unknown as SocketType;
}

export function createSocket(): SocketType {
  const { Duplex: parent } = builtin("node:stream") as { Duplex: SocketType };
  const connect = unavailable("net.Socket.connect");
  const socket = createType("Socket", parent, (it) => {
    (parent as unknown as Callable).call(it, { allowHalfOpen: false, autoDestroy: true });
    Object.assign(it, closed);
  });
  const members = Object.fromEntries(
    returnsItself.map((name) => [
      name,
      function (this: object) {
        return this;
      },
    ]),
  );
  Object.assign(socket.prototype, {
    ...members,
    connect,
    address: () => ({}),
    destroySoon(this: Duplex) {
      this.destroy();
    },
    resetAndDestroy(this: Duplex) {
      return this.destroy();
    },
    _read() {},
    _write(_chunk: unknown, _encoding: unknown, done: (error: unknown) => void) {
      try {
        connect();
      } catch (error) {
        done(error);
      }
    },
  });
  return socket;
}

/** A class that extends `net.Socket`, with the internal class that wraps a stream, which packages read. */
export function createTlsSocket(parent: SocketType): SocketType {
  const call = (it: object): unknown => (parent as unknown as Callable).call(it);
  const wrapper = createType("JSStreamSocket", parent, (it, [stream]) => {
    call(it);
    Object.assign(it, { stream });
  });
  return createType("TLSSocket", parent, (it, [stream]) => {
    call(it);
    const settings = { encrypted: true, authorized: false, authorizationError: null, alpnProtocol: null };
    Object.assign(it, { ...settings, _handle: { _parentWrap: new wrapper(stream) } });
  });
}
