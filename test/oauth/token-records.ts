/** A record of the server, as its library stores it. */
interface Payload {
  readonly grantId?: string;
  readonly userCode?: string;
  readonly uid?: string;
  consumed?: number;
}

/** What the authorization server of the tests has stored, in memory. */
export interface TokenRecords {
  /** The class that the library asks for. */
  readonly Adapter: new (model: string) => object;
  /** The refresh token with this id is void from now on. */
  consume(id: string): void;
}

/** `isLenient`: a refresh token is not consumed when it is used; `consume` does that later. */
export function createTokenRecords(isLenient: () => boolean): TokenRecords {
  const records = new Map<string, Payload>();
  const find = (test: (payload: Payload) => boolean): Payload | undefined => [...records.values()].find(test);
  class Adapter {
    readonly #model: string;
    constructor(model: string) {
      this.#model = model;
    }
    #key(id: string): string {
      return `${this.#model} ${id}`;
    }
    async upsert(id: string, payload: Payload): Promise<void> {
      records.set(this.#key(id), { ...payload });
    }
    async find(id: string): Promise<Payload | undefined> {
      return records.get(this.#key(id));
    }
    async findByUserCode(userCode: string): Promise<Payload | undefined> {
      return find((payload) => payload.userCode === userCode);
    }
    async findByUid(uid: string): Promise<Payload | undefined> {
      return find((payload) => payload.uid === uid);
    }
    async consume(id: string): Promise<void> {
      if (this.#model === "RefreshToken" && isLenient()) return;
      const found = records.get(this.#key(id));
      if (found) found.consumed = 1;
    }
    async destroy(id: string): Promise<void> {
      records.delete(this.#key(id));
    }
    async revokeByGrantId(grantId: string): Promise<void> {
      for (const [key, payload] of records) if (payload.grantId === grantId) records.delete(key);
    }
  }
  return {
    Adapter,
    consume(id) {
      const found = records.get(`RefreshToken ${id}`);
      if (found) found.consumed = 1;
    },
  };
}
