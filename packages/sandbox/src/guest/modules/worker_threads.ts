const noop = (): void => undefined;

/** There is only the main thread; functions that mark objects for other threads do nothing. */
export default {
  isMainThread: true,
  isInternalThread: false,
  parentPort: null,
  workerData: null,
  threadId: 0,
  resourceLimits: {},
  SHARE_ENV: Symbol.for("nodejs.worker_threads.SHARE_ENV"),
  markAsUncloneable: noop,
  markAsUntransferable: noop,
  isMarkedAsUntransferable: () => false,
  getEnvironmentData: noop,
  setEnvironmentData: noop,
};
