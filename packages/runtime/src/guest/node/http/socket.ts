import { EventEmitter } from "node:events";

/** What clients expect behind a request. There is none: its settings do nothing. */
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
