import { ending } from './at-end.js'

/** A Federation 2 router of another make, in this process. */
export interface OtherRouter {
  fetch: (url: string, init: RequestInit) => Promise<Response>
}

/** By a computed name: its types say more of graphql's own than graphql 16 has, for the whole program. */
const HIVE: string = '@graphql-hive/gateway-runtime'

/**
 * Starts Hive Gateway's runtime, which its command line starts too.
 * @param config as `hive-gateway` reads it; `supergraph` is the composed schema or its file
 */
export async function startHiveGateway(config: object): Promise<OtherRouter> {
  const { createGatewayRuntime } = (await import(HIVE)) as {
    createGatewayRuntime: (config: object) => OtherRouter & { dispose: () => Promise<void> }
  }
  const runtime = createGatewayRuntime({ logging: false, ...config })
  ending({ close: async () => runtime.dispose() })
  return runtime
}
