/** An endpoint's URL, as it stands in URLs, JSON and forms; the key is the last part. */
const endpoint = /(127\.0\.0\.1(?::|%3A)7777(?:\\?\/|%2F)in(?:\\?\/|%2F))([0-9a-z]{28}|endpoint-\d+)(?![0-9a-z])/gi;

/** Every source has endpoint keys of its own: a recording numbers them, in the order in which upstreams were told. */
export interface EndpointNames {
  /** A text with numbers in place of keys. */
  recorded(text: string): string;
  /** The same text with the keys of today. */
  replayed(text: string): string;
}

export function createEndpointNames(): EndpointNames {
  const keys: string[] = [];
  const numberOf = (key: string): number => {
    if (!keys.includes(key)) keys.push(key);
    return keys.indexOf(key) + 1;
  };
  return {
    recorded: (text) =>
      text.replaceAll(endpoint, (_, before: string, key: string) => `${before}endpoint-${numberOf(key)}`),
    replayed: (text) =>
      text.replaceAll(endpoint, (whole, before: string, name: string) => {
        const key = keys[Number(/^endpoint-(\d+)$/.exec(name)?.[1]) - 1];
        return key === undefined ? whole : before + key;
      }),
  };
}
