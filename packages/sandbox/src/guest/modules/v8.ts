export default {
  getHeapStatistics: () => ({ total_heap_size: 0, used_heap_size: 0, heap_size_limit: 0, total_available_size: 0 }),
  setFlagsFromString: () => undefined,
  cachedDataVersionTag: () => 0,
};
