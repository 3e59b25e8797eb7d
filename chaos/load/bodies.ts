import { randomUUID } from 'node:crypto'
import type { ReceiverView, TenantView } from '../view.js'
import { between } from '../random.js'
import type { Random } from '../fault.js'
import { newEvmAddress } from './evm-purse.js'
import { newSolanaAddress } from './solana-purse.js'

export const REGISTER = '/payment/register/intents-create-order'
export const CREATE_TRANSACTION = '/payment/register/intents-create-transaction'
export const EXECUTE = '/payment/execute/on-chain'

/** The product's names for its chains. */
export type ChainName = 'polygon' | 'solana'

/** What a tenant sells. */
export interface Terms {
  methods: Readonly<Record<string, boolean>>
  chain: ChainName
  symbol: string
  amount: string
  receivers: readonly ReceiverView[]
}

/** How receivers share; percentages that do not divide evenly are the interesting ones. */
const SHARES = {
  one: [[100]],
  several: [
    [70, 30],
    [10, 90],
    [99.5, 0.5],
    [33.34, 33.33, 33.33],
    [50, 25.5, 24.5],
  ],
  three: [
    [33.34, 33.33, 33.33],
    [50, 25.5, 24.5],
    [20, 70.01, 9.99],
  ],
} as const

/** How many receivers share a payment. */
export type ReceiverCount = keyof typeof SHARES

/** Receivers of a payment, with addresses that nobody else has, so that what came for it can be told. */
export function newReceivers(random: Random, chain: ChainName, count: ReceiverCount): ReceiverView[] {
  const known = SHARES[count]
  const percents: readonly number[] = known[between(random, 0, known.length - 1)] ?? [100]
  return percents.map((percent) => ({ wallet: chain === 'polygon' ? newEvmAddress() : newSolanaAddress(), percent }))
}

/** An amount of 60 to 260 in the fiat currency: less would leave some receivers less than a payout may be. */
export function newAmount(random: Random): string {
  return `${between(random, 60, 260)}.${String(between(random, 0, 99)).padStart(2, '0')}`
}

function splitOf({ receivers, methods }: Terms): object[] {
  return receivers.map(({ wallet, percent }, index) => ({
    receiver_wallet: wallet,
    receiver_percent: percent,
    ...(methods['cardfiat'] && { recipient_id: `rp_chaosReceiver${index}`, liable: index === 0 }),
  }))
}

/** What an order and a payment have in common, as REST writes it. */
export function termsBody(terms: Terms): Record<string, unknown> {
  return {
    executor_id: 'api_transaction',
    payment_method_allowed: terms.methods,
    split_payment_config: splitOf(terms),
    gateway_method: 'direct',
    from_currency_symbol: 'BRL',
    amount_from: terms.amount,
    to_currency_symbol: terms.symbol,
    to_chain: terms.chain,
    on_ramp: false,
  }
}

/** The mark by which the oracle knows each payment again, whatever was answered. */
export function newMark(): { metadata: { chaos: string } } {
  return { metadata: { chaos: randomUUID() } }
}

/** Which integration a payment belongs to, and where its webhooks go. */
export function tenantData({ publicClientId, webhookUrl }: TenantView): object {
  return { tenant_data: { public_client_id: publicClientId, webhook_url: webhookUrl } }
}
