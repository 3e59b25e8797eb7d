import { neededOption, readOptions, UsageError, type OptionValues } from '../../../kernel/command-line.js'
import { executeIn, inTransaction, type Database } from '../../../kernel/database.js'
import { setCap, setDelay, setLimits } from '../domain/operators/tenant-terms.js'
import { riskStore } from '../store/risk.js'
import { usageOf } from './usage-of.js'

const TEXT = { type: 'string' } as const

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
  const set = {
    perPayment: textOption(values, 'per-payment'),
    perPayerDay: textOption(values, 'per-payer-day'),
    perTenantDay: textOption(values, 'per-tenant-day'),
  }
  await usageOf(setLimits({ risk: riskStore(db) }, { tenantId, currency, ...set }))
  return { tenantId, currency, ...set }
}

/** Sets how long a tenant's receivers wait after a payer has paid on a rail. @throws UsageError */
export async function delay(db: Database, args: readonly string[]): Promise<object> {
  const values = readOptions(args, { tenant: TEXT, rail: TEXT, hours: TEXT })
  const [tenantId, hours] = [neededOption(values, 'tenant'), neededOption(values, 'hours')]
  const rail = neededOption(values, 'rail')
  const given = { tenantId, rail, hours: /^\d{1,4}$/.test(hours) ? Number(hours) : NaN }
  await usageOf(setDelay({ risk: riskStore(db) }, given))
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

/** Sets whether payers' tax ids are compared with the documents of verified people. @throws UsageError */
export async function payerDocument(db: Database, args: readonly string[]): Promise<object> {
  const values = readOptions(args, { tenant: TEXT, mode: TEXT })
  const [tenantId, mode] = [neededOption(values, 'tenant'), neededOption(values, 'mode')]
  if (mode !== 'accept' && mode !== 'compare') throw new UsageError('--mode is accept or compare.')
  await riskStore(db).setPayerDocuments(tenantId, mode === 'compare')
  return { tenantId, mode }
}

/** Sets what may leave the treasury of a token by itself; what is left out has no cap. @throws UsageError */
export async function treasuryCap(db: Database, args: readonly string[]): Promise<object> {
  const values = readOptions(args, { chain: TEXT, symbol: TEXT, 'per-payout': TEXT, 'per-day': TEXT })
  const [chainName, symbol] = [neededOption(values, 'chain'), neededOption(values, 'symbol')]
  const set = { perPayout: textOption(values, 'per-payout'), perDay: textOption(values, 'per-day') }
  await usageOf(setCap({ risk: riskStore(db) }, { chainName, symbol, ...set }))
  return { chainName, symbol, ...set }
}

function textOption(values: OptionValues, name: string): string | null {
  const value = values[name]
  return typeof value === 'string' ? value : null
}
