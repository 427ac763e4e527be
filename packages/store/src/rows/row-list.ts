/** The writes that changes become. A store has a statement for each; its parameters are the values in their order. */
export const changeWrites = [
  "putUser",
  "putLock",
  "putText",
  "putComponent",
  "putRegistryFile",
  "deleteRegistryFile",
  "putSource",
  "keepSourcePosition",
  "deleteSource",
  "addEndpoint",
  "deleteEndpoints",
  "addTrigger",
  "startTrigger",
  "removeTrigger",
  "deleteTriggers",
  "putTransition",
  "deleteTransition",
  "finishMessage",
  "setValue",
  "deleteValue",
  "deleteValues",
  "setDedupe",
  "deleteDedupe",
  "moveHead",
  "deleteHeads",
  "sharePayload",
  "addEvent",
  "deleteEventRange",
  "deleteEvents",
  "trimEvents",
  "addExecution",
  "deleteExecutions",
  "trimExecutions",
  "trimExecutionBytes",
  "setTimer",
  "deleteTimer",
  "addUsage",
  "addSubscription",
  "deleteSubscription",
  "deleteSubscriptionsFrom",
  "deleteSubscriptionsTo",
  "addAutoSubscription",
  "deleteAutoSubscription",
  "deleteAutoSubscriptionsTo",
  "putWebhook",
  "keepWebhookPosition",
  "deleteWebhook",
  "deleteDeliveries",
  "skipWebhook",
  "addDelivery",
  "updateDelivery",
  "trimDeliveries",
  "putProject",
  "deleteProject",
  "putAccount",
  "keepAccountPosition",
  "deleteAccount",
  "putApp",
  "deleteApp",
  "putAppEndpoint",
  "deleteAppEndpoint",
  "addAppListener",
  "deleteAppListeners",
  "addIdentity",
  "deleteIdentities",
  "addAppEvent",
  "trimAppEvents",
  "addRequest",
  "trimRequests",
  "deleteRequests",
  "putSealing",
  "addSealing",
] as const;

export type ChangeWrite = (typeof changeWrites)[number];

/** A value of a column. */
export type RowValue = string | number | boolean | null | Uint8Array;

/** Collects the rows of a commit. */
export interface RowList {
  /**
   * `touches`: what the row reads or writes, a table, or `table:key` for some of its rows. Rows that touch the same stay in
   * their order; others may move beside rows of the same write.
   */
  add(write: ChangeWrite, touches: string | readonly string[], ...values: RowValue[]): void;
}
