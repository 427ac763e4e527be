/** No call signature: the author's own parameters and result count. */
export type AnyFunction = Function;
