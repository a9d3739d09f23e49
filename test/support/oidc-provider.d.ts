/** The part of oidc-provider, which has no types of its own, that the tests use. */
declare module 'oidc-provider' {
  import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http'

  interface Grant {
    addOIDCScope(scope: string): void
    addResourceScope(resource: string, scope: string): void
    save(): Promise<string>
  }
  interface Context {
    readonly path: string
    body?: { id_token?: string }
    readonly oidc: {
      readonly params: { readonly resource?: string | string[] }
      readonly client: { readonly clientId: string }
      readonly session: { readonly accountId: string }
      readonly provider: { readonly Grant: new (of: { clientId: string; accountId: string }) => Grant }
    }
  }
  export default class Provider {
    constructor(issuer: string, configuration: object)
    callback(): RequestListener
    use(middleware: (ctx: Context, next: () => Promise<void>) => Promise<void>): void
    interactionFinished(
      request: IncomingMessage,
      response: ServerResponse,
      result: object,
      options: object,
    ): Promise<void>
  }
}

declare module 'oidc-provider/lib/adapters/memory_adapter.js' {
  export function createMemoryAdapter(): (model: string) => object
}
