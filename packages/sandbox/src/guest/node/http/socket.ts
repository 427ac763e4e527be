import { EventEmitter } from "node:events";

/** The socket of a request, as clients expect it. There is no connection: its methods have no effect. */
export class ClientSocket extends EventEmitter {
  readonly encrypted: boolean;
  readonly authorized = true;
  readonly connecting = false;
  destroyed = false;
  readonly writable = true;
  readonly readable = true;
  readonly bytesRead = 0;
  readonly bytesWritten = 0;

  constructor(encrypted: boolean) {
    super();
    this.encrypted = encrypted;
  }
  setTimeout(_ms: number, listener?: () => void): this {
    if (listener) this.once("timeout", listener);
    return this;
  }
  setKeepAlive(): this {
    return this;
  }
  setNoDelay(): this {
    return this;
  }
  ref(): this {
    return this;
  }
  unref(): this {
    return this;
  }
  destroy(): this {
    this.destroyed = true;
    return this;
  }
  end(): this {
    return this;
  }
  address(): object {
    return {};
  }
  getPeerCertificate(): object {
    return {};
  }
}
