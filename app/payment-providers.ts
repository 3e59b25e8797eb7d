import type { PartialSandbox } from '../sandbox/sandbox.js'
import type { PaymentsOptions } from '../subgraphs/payments/context.js'
import { RAILS } from '../subgraphs/payments/rails/registry.js'
import type { Env } from './env.js'

/** How payments reach those who charge; what is not configured is not there. */
type PaymentProviders = Pick<PaymentsOptions, 'rails'>

/** The providers of the environment, otherwise the sandbox's. */
export function paymentProviders(env: Env, sandbox: Pick<PartialSandbox, 'rails'> | undefined): PaymentProviders {
  const simulated: Partial<Record<string, object>> = sandbox?.rails ?? {}
  return { rails: RAILS.flatMap(({ name, configure }) => configure(env.railEnvironment, simulated[name]) ?? []) }
}
