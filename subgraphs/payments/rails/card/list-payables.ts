import type { Payable } from '../../store/payables.js'
import { jsonReader } from '../json-reader.js'
import { rowReader } from '../row-reader.js'
import type { CardClient } from './client.js'

const { listOf, objectOf, refuse, textOf } = jsonReader('card')
const PAGE_SIZE = 100
/** What the processor keeps of a payable: for itself, for paying early, and for bearing fraud. */
const FEES = ['fee', 'anticipation_fee', 'fraud_coverage_fee'] as const

/**
 * What the processor says that it owes and keeps of charges (`GET /payables`, core v5), of all that changed in a time. Pages are read
 * by following what the answer names next, never by counting.
 * @throws ProviderError
 */
export async function* listPayables(
  client: CardClient,
  { from, to }: { from: Date; to: Date },
): AsyncGenerator<Payable> {
  const window = { updated_since: from.toISOString(), updated_until: to.toISOString(), size: String(PAGE_SIZE) }
  const read = new Set<string>()
  const rows = rowReader(readPayable)
  for (let query: Record<string, string> | undefined = window; query;) {
    const name = new URLSearchParams(query).toString()
    if (read.has(name)) throw refuse('a page that was read before')
    read.add(name)
    const page = objectOf(await client.listPayables(query), 'a page')
    for (const one of listOf(page['data'])) {
      const row = rows.read(one)
      if (row) yield row
    }
    query = nextOf(page['paging'])
  }
  rows.end()
}

/** Of the address of the next page its query alone: where we ask is our setting. */
function nextOf(paging: unknown): Record<string, string> | undefined {
  const next = paging == null ? undefined : objectOf(paging, 'paging')['next']
  if (typeof next !== 'string' || next === '') return undefined
  if (!URL.canParse(next)) throw refuse('a next page that is none')
  return Object.fromEntries(new URL(next).searchParams)
}

/** Reads a payable; ids are texts or numbers. Throws ProviderError `protocol` where it is none. */
function readPayable(value: unknown): Payable {
  const payable = objectOf(value, 'a payable')
  const { id, charge_id: chargeId, type, amount } = payable
  const fee = FEES.reduce((sum, name) => sum + centsOf(payable[name] ?? 0), 0n)
  return {
    id: typeof id === 'number' ? String(id) : textOf(id),
    receiptId: textOf(chargeId),
    type: textOf(type),
    amount: decimalOf(centsOf(amount)),
    fee: decimalOf(fee),
  }
}

function centsOf(value: unknown): bigint {
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw refuse('an amount that is none')
  return BigInt(value)
}

/** Cents, which may be below 0, as a decimal string. */
function decimalOf(cents: bigint): string {
  const digits = String(cents < 0n ? -cents : cents).padStart(3, '0')
  const fraction = digits.slice(-2).replace(/0+$/, '')
  return `${cents < 0n ? '-' : ''}${digits.slice(0, -2)}${fraction && '.'}${fraction}`
}
