import type { PaymentsDeps } from '../deps.js'

/**
 * The job that sees to it that every provider knows where to call us: at start, and now and then, as a provider may drop
 * an address by itself.
 * @throws ProviderError where a provider cannot be told now: the job comes again
 */
export async function ensureCallbacks({ rails }: Pick<PaymentsDeps, 'rails'>): Promise<void> {
  for (const rail of rails) {
    if (rail.kind === 'charge') await rail.desk.ensureCallbacks()
  }
}
