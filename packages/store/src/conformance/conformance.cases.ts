import { afterEach, beforeEach, describe } from "vitest";

import { describeAccounts } from "./conformance-accounts.cases.ts";
import { describeApps } from "./conformance-apps.cases.ts";
import { describeCommits } from "./conformance-commits.cases.ts";
import { describeDataStores } from "./conformance-data-stores.cases.ts";
import { describeDeliveries } from "./conformance-deliveries.cases.ts";
import { describeExecutions } from "./conformance-executions.cases.ts";
import { describeEvents } from "./conformance-events.cases.ts";
import { describeRecords } from "./conformance-records.cases.ts";
import { describeSlots } from "./conformance-slots.cases.ts";
import { describeTransitions } from "./conformance-transitions.cases.ts";
import { describeTriggers } from "./conformance-triggers.cases.ts";
import type { Store } from "../contract.ts";
import type { GetStore } from "./given-store.cases.ts";

/** A store of its own for one test. */
export interface OpenedStore {
  readonly store: Store;
  /** Closes it and removes what it left. */
  dispose(): Promise<void>;
}

/** What every implementation of `Store` must do. */
export function storeConformance(name: string, open: () => Promise<OpenedStore>): void {
  describe(`${name} store`, () => {
    let opened: OpenedStore | undefined;
    beforeEach(async () => {
      opened = await open();
    });
    afterEach(async () => {
      await opened?.dispose();
      opened = undefined;
    });
    const get: GetStore = () => {
      if (!opened) throw new Error("no store is open");
      return opened.store;
    };
    describe("records", () => {
      describeRecords(get);
    });
    describe("events", () => {
      describeEvents(get);
    });
    describe("executions", () => {
      describeExecutions(get);
    });
    describe("triggers", () => {
      describeTriggers(get);
    });
    describe("changes of sources", () => {
      describeTransitions(get);
    });
    describe("deliveries", () => {
      describeDeliveries(get);
    });
    describe("accounts", () => {
      describeAccounts(get);
    });
    describe("apps", () => {
      describeApps(get);
    });
    describe("data stores", () => {
      describeDataStores(get);
    });
    describe("slots", () => {
      describeSlots(get);
    });
    describe("commits", () => {
      describeCommits(get);
    });
  });
}
