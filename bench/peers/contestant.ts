import { createPeerLoader } from "../peer-loader.ts";
import type { HostSide } from "./workload.ts";

/** A deadline for the measurement of a kill. */
export const killAfterMs = 50;
/** The memory cap of a tenant, where there is one. */
export const memoryBytes: number = 64 * 1024 * 1024;

/** A tenant that does not run: what is kept of it until its next event. */
export interface Parked {
  /** The first call belongs to the cold start. */
  start(host: HostSide): Promise<Live>;
}

export interface Live {
  /** The result as JSON text; undefined: the engine reports none. */
  call(event: string): Promise<string | undefined>;
  /** Runs a loop without end; resolves when it was ended, after `killAfterMs`. Absent: nothing ends it. */
  /** May return how long it took, in ms. */
  loop?(): Promise<number | void>;
  close(): Promise<void> | void;
}

/** An engine with its settings. */
export interface Contestant {
  readonly name: string;
  /** Whether each call gets a realm that no other call has seen. */
  readonly freshRealm: boolean;
  readonly memoryCap: string;
  readonly kill: string;
  readonly durable: string;
  readonly note?: string;
  open(): Promise<Opened>;
}

export interface Opened {
  park(tenant: number): Promise<Parked>;
  /** Processes other than this one that belong to it. */
  readonly pids?: readonly number[];
  close(): Promise<void> | void;
}

const engines = createPeerLoader(new URL("engines/", import.meta.url));

/** The path of a module of `bench/peers/engines`. */
export const peerPath = engines.path;

/** Loads a module of `bench/peers/engines`. */
export const loadPeer = engines.load;
