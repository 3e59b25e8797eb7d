import type { Rails } from '../../rails/find-rail.js'

/**
 * The job that tells every provider where to call us: at start, and now and then, as a provider may drop
 * an address by itself.
 * @throws ProviderError where a provider cannot be told now: the job comes again
 */
export async function ensureCallbacks({ rails }: Rails): Promise<void> {
  for (const rail of rails) {
    if (rail.kind === 'charge') await rail.adapter.ensureCallbacks()
  }
}
