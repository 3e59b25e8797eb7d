import { forward, startHttpServer, type HttpServer } from '../http/exchange.js'
import { createFaultSet, exchangeUnder, type FaultSet } from '../http/http-faults.js'

/** The product's way to one provider. */
export interface ProviderProxy extends HttpServer {
  faults: FaultSet
}

/**
 * Starts a proxy before a provider's simulator. While no fault is on it changes nothing.
 * @param options.upstream the simulator's address, which may have a path
 */
export async function startProviderProxy({ upstream }: { upstream: string }): Promise<ProviderProxy> {
  const faults = createFaultSet()
  const { origin, pathname } = new URL(upstream)
  const base = pathname.replace(/\/$/, '')
  const server = await startHttpServer((request, response) =>
    exchangeUnder(faults, response, () =>
      // What a provider is asked to do may not be done twice by the harness: never on a connection that may be closed.
      forward(origin, { ...request, path: base + request.path }, { repeatable: false }),
    ),
  )
  return {
    ...server,
    faults,
    close: async () => {
      faults.clear()
      await server.close()
    },
  }
}
