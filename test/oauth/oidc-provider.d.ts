/** The part of the library that the tests use; it has no declarations of its own. */
declare module "oidc-provider" {
  import type { IncomingMessage, ServerResponse } from "node:http";

  interface Token {
    readonly jti: string;
    readonly accountId?: string;
    readonly grantId?: string;
    readonly isValid: boolean;
    destroy(): Promise<void>;
  }
  interface TokenModel {
    find(value: string): Promise<Token | undefined>;
  }
  interface Grant {
    addOIDCScope(scope: string): void;
    save(): Promise<string>;
  }
  /** The context of one request. */
  export interface Context {
    readonly oidc: {
      readonly params?: { readonly [name: string]: string };
      readonly entities: {
        readonly RefreshToken?: Token;
        readonly RotatedRefreshToken?: Token;
        readonly AccessToken?: Token;
      };
    };
  }
  export class Provider {
    constructor(issuer: string, configuration: object);
    readonly AccessToken: TokenModel;
    readonly RefreshToken: TokenModel;
    readonly Grant: new (properties: { accountId: string; clientId: string }) => Grant;
    callback(): (request: IncomingMessage, response: ServerResponse) => void;
    interactionDetails(
      request: IncomingMessage,
      response: ServerResponse,
    ): Promise<{
      prompt: { name: string };
      params: { client_id: string; scope?: string };
      session?: { accountId: string };
    }>;
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options: { mergeWithLastSubmission: boolean },
    ): Promise<void>;
    on(event: string, listener: (context: Context, error?: Error) => void): void;
  }
}
