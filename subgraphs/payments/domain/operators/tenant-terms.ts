import { validationError, type FieldFailure } from '../../../../kernel/errors.js'
import { compare, isAmount, isPositive } from '../../../../kernel/money.js'
import { FEE_BOUNDS, type FeeTerms } from '../../model/fees.js'
import { RAILS } from '../../rails/registry.js'
import type { PaymentLimits } from '../../store/risk.js'
import type { Stores } from '../../store/stores.js'

/** What setting a tenant's terms needs. */
export type TenantTermsDeps = Pick<Stores, 'fees' | 'risk'>

/** What an operator has set for a tenant. */
export interface TenantTerms {
  tenantId: string
  fees: (FeeTerms & { rail: string })[]
  limits: (PaymentLimits & { currency: string })[]
  delays: { rail: string; hours: number }[]
}

/** 180 days: longer than card holders have for a chargeback. */
const DELAY_HOURS_MAX = 4_320

/** What is set for a tenant; nothing is by default. */
export async function readTenantTerms({ fees, risk }: TenantTermsDeps, tenantId: string): Promise<TenantTerms> {
  const [ofRails, limits, delays] = await Promise.all([
    fees.list(tenantId),
    risk.listLimits(tenantId),
    risk.listDelays(tenantId),
  ])
  const inHours = delays.map(({ rail, minutes }) => ({ rail, hours: minutes / 60 }))
  return { tenantId, fees: ofRails, limits, delays: inHours }
}

/** Sets what the platform takes of a tenant's payments on a rail, for quotes from now on. Throws validation_error. */
export async function setFees(
  { fees }: Pick<Stores, 'fees'>,
  given: { tenantId: string; rail: string; percent: string; fixed: string; spreadPercent: string },
): Promise<void> {
  const { tenantId, rail, percent, fixed, spreadPercent } = given
  refuse([
    ...railFailures(rail),
    ...boundFailures('percent', percent, FEE_BOUNDS.percent),
    ...boundFailures('fixed', fixed, FEE_BOUNDS.fixed),
    ...boundFailures('spreadPercent', spreadPercent, FEE_BOUNDS.spreadPercent),
  ])
  await fees.set(tenantId, rail, { percent, fixed, spreadPercent })
}

/** Sets what a tenant's payments in a currency may be from now on; null for no limit. Throws validation_error. */
export async function setLimits(
  { risk }: Pick<Stores, 'risk'>,
  { tenantId, currency, ...limits }: PaymentLimits & { tenantId: string; currency: string },
): Promise<void> {
  const isCode = /^[A-Z]{3}$/.test(currency)
  refuse([
    ...(isCode ? [] : [{ field: 'currency', message: 'has to be a code such as BRL' }]),
    ...Object.entries(limits).flatMap(([field, amount]) => amountFailures(field, amount)),
  ])
  await risk.setLimits(tenantId, currency, limits)
}

/** Sets how long a tenant's receivers wait after a payer has paid on a rail. Throws validation_error. */
export async function setDelay(
  { risk }: Pick<Stores, 'risk'>,
  { tenantId, rail, hours }: { tenantId: string; rail: string; hours: number },
): Promise<void> {
  const isGiven = Number.isInteger(hours) && hours >= 0 && hours <= DELAY_HOURS_MAX
  const message = `has to be a whole number from 0 to ${DELAY_HOURS_MAX}`
  refuse([...railFailures(rail), ...(isGiven ? [] : [{ field: 'hours', message }])])
  await risk.setDelay(tenantId, rail, hours * 60)
}

/** Sets what may leave the treasury of a token by itself; null for no cap. Throws validation_error. */
export async function setCap(
  { risk }: Pick<Stores, 'risk'>,
  given: { chainName: string; symbol: string; perPayout: string | null; perDay: string | null },
): Promise<void> {
  const { chainName, symbol, perPayout, perDay } = given
  refuse([...amountFailures('perPayout', perPayout), ...amountFailures('perDay', perDay)])
  await risk.setCap(chainName, symbol, { perPayout, perDay })
}

/** Rails that charge: wallets pay receivers directly. */
function railFailures(given: string): FieldFailure[] {
  const rails = RAILS.map(({ name }) => name).filter((name) => name !== 'crypto')
  return rails.includes(given) ? [] : [{ field: 'rail', message: `is one of ${rails.join(', ')}` }]
}

function boundFailures(field: string, given: string, bound: string): FieldFailure[] {
  const isGiven = isAmount(given) && /^\d+(\.\d{1,2})?$/.test(given) && compare(given, bound) <= 0
  return isGiven ? [] : [{ field, message: `has to be from 0 to ${bound}, with two decimals at most` }]
}

function amountFailures(field: string, given: string | null): FieldFailure[] {
  const isGiven = given === null || (isAmount(given) && isPositive(given))
  return isGiven ? [] : [{ field, message: 'has to be an amount above 0' }]
}

function refuse(failures: readonly FieldFailure[]): void {
  if (failures.length > 0) throw validationError(failures)
}
