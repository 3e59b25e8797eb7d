import { neededOption, readOptions, UsageError, type OptionValues } from '../../../kernel/command-line.js'
import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'
import { isAmount, isPositive } from '../../../kernel/money.js'
import { riskStore } from '../store/risk.js'
import { readChargeRail } from './fee-commands.js'

const TEXT = { type: 'string' } as const
/** 180 days: longer than card holders have for a chargeback. */
const DELAY_HOURS_MAX = 4_320

const HELD = `select tenant_id as "tenantId", payment_id as "paymentId", leg as "splitIndex", chain_name as "chainName", symbol,
    amount, receiver, state, hold_reason as reason, case state when 'waiting' then not_before end as until
  from payments.payout where (state = 'held' or state = 'waiting' and hold_reason = 'delay')
    and (?::text is null or tenant_id = ?) order by created_at, payment_id, leg limit 1000`

/** The payouts that something holds, the oldest first, at most 1000. @throws UsageError */
export function held(db: Database, args: readonly string[]): Promise<object[]> {
  const { tenant } = readOptions(args, { tenant: TEXT })
  return inTransaction(db, (em) => executeIn<object>(em, HELD, [tenant ?? null, tenant ?? null]))
}

/** Sets what a tenant's payments in a currency may be; what is left out has no limit. @throws UsageError */
export async function limits(db: Database, args: readonly string[]): Promise<object> {
  const options = { tenant: TEXT, currency: TEXT, 'per-payment': TEXT, 'per-payer-day': TEXT, 'per-tenant-day': TEXT }
  const values = readOptions(args, options)
  const [tenantId, currency] = [neededOption(values, 'tenant'), neededOption(values, 'currency')]
  if (!/^[A-Z]{3}$/.test(currency)) throw new UsageError('--currency has to be a code such as BRL.')
  const set = {
    perPayment: amountOption(values, 'per-payment'),
    perPayerDay: amountOption(values, 'per-payer-day'),
    perTenantDay: amountOption(values, 'per-tenant-day'),
  }
  await riskStore(db).setLimits(tenantId, currency, set)
  return { tenantId, currency, ...set }
}

/** Sets how long a tenant's receivers wait after a payer has paid on a rail. @throws UsageError */
export async function delay(db: Database, args: readonly string[]): Promise<object> {
  const values = readOptions(args, { tenant: TEXT, rail: TEXT, hours: TEXT })
  const [tenantId, hours] = [neededOption(values, 'tenant'), neededOption(values, 'hours')]
  const rail = readChargeRail(neededOption(values, 'rail'))
  if (!/^\d{1,4}$/.test(hours) || Number(hours) > DELAY_HOURS_MAX)
    throw new UsageError(`--hours has to be a whole number from 0 to ${DELAY_HOURS_MAX}.`)
  await riskStore(db).setDelay(tenantId, rail, Number(hours) * 60)
  return { tenantId, rail, hours: Number(hours) }
}

/** Sets whether a tenant takes a Pix from another person's account than the payer's. @throws UsageError */
export async function thirdPartyPix(db: Database, args: readonly string[]): Promise<object> {
  const values = readOptions(args, { tenant: TEXT, mode: TEXT })
  const [tenantId, mode] = [neededOption(values, 'tenant'), neededOption(values, 'mode')]
  if (mode !== 'accept' && mode !== 'return') throw new UsageError('--mode is accept or return.')
  await riskStore(db).setThirdParties(tenantId, mode === 'accept')
  return { tenantId, mode }
}

/** Sets what may leave the treasury of a token by itself; what is left out has no cap. @throws UsageError */
export async function treasuryCap(db: Database, args: readonly string[]): Promise<object> {
  const values = readOptions(args, { chain: TEXT, symbol: TEXT, 'per-payout': TEXT, 'per-day': TEXT })
  const [chainName, symbol] = [neededOption(values, 'chain'), neededOption(values, 'symbol')]
  const set = { perPayout: amountOption(values, 'per-payout'), perDay: amountOption(values, 'per-day') }
  await riskStore(db).setCap(chainName, symbol, set)
  return { chainName, symbol, ...set }
}

function amountOption(values: OptionValues, name: string): string | null {
  const value = values[name]
  if (value === undefined) return null
  if (isAmount(value) && isPositive(value)) return value
  throw new UsageError(`--${name} has to be an amount above 0.`)
}
