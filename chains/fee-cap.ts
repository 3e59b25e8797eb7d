import { AppError } from '../kernel/errors.js'

const ABOVE = ', above its cap'

/** What keeps a transaction of ours waiting: its chain costs more than the deployment pays. @param costs what costs how much */
export function aboveCap(costs: string): AppError {
  return new AppError('provider_unavailable', { details: `${costs}${ABOVE}` })
}

/** Whether a failure is such a one, and no trouble of a node. */
export function isAboveCap({ code, details }: AppError): boolean {
  return code === 'provider_unavailable' && details?.endsWith(ABOVE) === true
}
