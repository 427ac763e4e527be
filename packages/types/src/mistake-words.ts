/** The expected type of a field, in words. */
interface Expected {
  readonly label: "text";
  readonly description: "text";
  readonly optional: "true or false";
  readonly hidden: "true or false";
  readonly disabled: "true or false";
  readonly reloadProps: "true or false";
  readonly withLabel: "true or false";
  readonly useQuery: "true or false";
  readonly remoteOptions: "true or false";
  readonly secret: "true or false";
  readonly customResponse: "true or false";
  readonly appProp: "the name of an app prop, as text";
  readonly eventNames: "a list of names, or a method that returns one";
  readonly min: "a number";
  readonly max: "a number";
  readonly alertType: "text";
  readonly content: "text";
}

/** The expected type of a default, in words, by prop type. */
interface ExpectedDefault {
  readonly string: "text";
  readonly "string[]": "a list of texts";
  readonly integer: "a number";
  readonly "integer[]": "a list of numbers";
  readonly number: "a number";
  readonly "number[]": "a list of numbers";
  readonly boolean: "true or false";
  readonly "boolean[]": "a list of true and false";
  readonly object: "an object";
  readonly http_request: "{ method, url }";
  readonly data_store: "the name of a data store, as text";
  readonly "$.discord.channel": "text";
  readonly "$.discord.channel[]": "a list of texts";
  readonly "$.interface.timer": "{ intervalSeconds } or { cron }";
}

/** The expected type of field `X` of a prop of type `T`, in words. */
export type Words<T, X> = X extends "default" | "static"
  ? T extends keyof ExpectedDefault
    ? ExpectedDefault[T]
    : "of its type"
  : X extends keyof Expected
    ? Expected[X]
    : "of its type";

/** Messages for fields that are often used with the wrong prop type. */
export interface Owner {
  readonly customResponse: "only $.interface.http props have customResponse";
  readonly secret: "only string props can be secret";
  readonly min: "only number props have min";
  readonly max: "only number props have max";
}
