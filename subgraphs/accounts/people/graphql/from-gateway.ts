import { AppError } from '../../../../kernel/errors.js'
import type { RequestContext } from '../../../../kernel/subgraph.js'

/**
 * Lets only the gateway itself through: it asks before it is known who calls.
 * @throws unauthorized for everyone else
 */
export function assertGateway({ caller }: RequestContext): void {
  if (caller.tenantId !== null || caller.keyId !== 'gateway') throw new AppError('unauthorized')
}
