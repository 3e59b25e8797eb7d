import type { Finding } from '../view.js'
import { finding, type Check, type Evidence } from './evidence.js'
import { evmTruth } from './evm-truth.js'
import { baseUnits } from './money.js'
import { solanaTruth } from './solana-truth.js'

interface Sum {
  account: string
  kind: string
  currency: string
  debit: string
  credit: string
}

const SUMS = `select account, split_part(entry, ':', 1) as kind, currency,
    trim_scale(sum(debit))::text as debit, trim_scale(sum(credit))::text as credit
  from payments.ledger_line group by 1, 2, 3`

const UNBALANCED = `select payment_id, entry, currency, trim_scale(sum(debit - credit))::text as off
  from payments.ledger_line group by tenant_id, payment_id, entry, currency having sum(debit) <> sum(credit)`

/** The ledger balances, and says what provider and chain say. */
export const checkLedger: Check = async (evidence) => {
  const { sql } = evidence
  const sums = await sql<Sum>(SUMS)
  const unbalanced = await sql<{ payment_id: string; entry: string; currency: string; off: string }>(UNBALANCED)
  return [
    ...unbalanced.map(({ payment_id: id, entry, currency, off }) =>
      finding('ledger', `entry ${entry} of payment ${id} in ${currency}`, 'debits less credits of 0', off),
    ),
    ...againstProviders(evidence, sums),
    ...(await againstEvm(evidence, sums)),
    ...(await againstSolana(evidence, sums)),
  ]
}

function sumOf(
  sums: readonly Sum[],
  side: 'debit' | 'credit',
  wanted: { account: string; kind: string; currency: string },
): string {
  const { account, kind, currency } = wanted
  return sums.find((sum) => sum.account === account && sum.kind === kind && sum.currency === currency)?.[side] ?? '0'
}

function againstProviders({ cobs, cardOrders }: Evidence, sums: readonly Sum[]): Finding[] {
  const total = (amounts: readonly bigint[]): bigint => amounts.reduce((sum, amount) => sum + amount, 0n)
  const pix = cobs.flatMap((cob) => cob.pix)
  const returned = pix.flatMap(({ devolucoes }) => devolucoes.filter(({ status }) => status === 'DEVOLVIDO'))
  const charged = cardOrders.flatMap(({ charges }) => charges).filter(({ paid_amount: paid }) => paid > 0)
  const cents = (value: string): bigint => baseUnits(value, 2)
  const both = [
    ['pix', 'receipt', 'debit', total(pix.map(({ valor }) => cents(valor)))],
    ['pix', 'return', 'credit', total(returned.map(({ valor }) => cents(valor)))],
    ['card', 'receipt', 'debit', total(charged.map(({ paid_amount: paid }) => BigInt(paid)))],
    ['card', 'return', 'credit', total(charged.map(({ canceled_amount: back }) => BigInt(back)))],
  ] as const
  return both.flatMap(([rail, kind, side, expected]) => {
    const is = cents(sumOf(sums, side, { account: `provider:${rail}`, kind, currency: 'BRL' }))
    return is === expected ? [] : [finding('ledger', `${kind}s of ${rail} in cents, by the ledger`, expected, is)]
  })
}

const TREASURY_TRANSACTIONS = `select hash, batch_id, block_number, check_at from payments.treasury_transaction
  where chain_name = $1`

interface TreasuryRow {
  hash: string
  batch_id: string
  block_number: number | null
  /** Null: its end is final. */
  check_at: Date | null
}

/** Several payments bear the gas of one batch; it may be booked for one version of it and corrected for another. */
const BOOKED_FEES = `select transaction.batch_id, trim_scale(sum(credit - debit))::text as fee
  from payments.ledger_line join payments.treasury_transaction as transaction on transaction.hash = split_part(entry, ':', 2)
  where ledger_line.account = $1 and entry like 'fee:%' group by transaction.batch_id`

async function againstEvm({ view, sql }: Evidence, sums: readonly Sum[]): Promise<Finding[]> {
  const truth = evmTruth(view)
  const account = 'treasury:polygon'
  const found: Finding[] = []
  for (const [currency, { address, decimals }] of Object.entries(view.chains.evm.tokens)) {
    const owners = view.treasury.evm.map((owner) => owner.address)
    const sent = await truth.sentBy(address, owners)
    const booked = baseUnits(sumOf(sums, 'credit', { account, kind: 'payout', currency }), decimals)
    if (sent !== booked) found.push(finding('ledger', `${currency} paid out by ${account}`, `${sent} (chain)`, booked))
  }
  const transactions = await sql<TreasuryRow>(TREASURY_TRANSACTIONS, ['polygon'])
  const costs = await truth.costsOf(transactions.map(({ hash }) => hash))
  let used = 0
  for (const { address, sentBefore } of view.treasury.evm) used += (await truth.nonceOf(address)) - sentBefore
  if (used !== costs.size)
    found.push(finding('ledger', 'mined transactions of the EVM treasury', `${used} (chain)`, costs.size))
  const booked = await sql<BookedFee>(BOOKED_FEES, [account])
  return [...found, ...feesOff(transactions, costs, booked)]
}

interface BookedFee {
  batch_id: string
  fee: string
}

/** Batches that cost other gas than the ledger says; with the blocks that the product takes them to be in. */
function feesOff(
  transactions: readonly TreasuryRow[],
  costs: ReadonlyMap<string, bigint>,
  booked: readonly BookedFee[],
): Finding[] {
  const fees = new Map(booked.map(({ batch_id: id, fee }) => [id, baseUnits(fee, 18)]))
  const found: Finding[] = []
  const byBatch = Map.groupBy(transactions, ({ batch_id: batchId }) => batchId)
  for (const id of new Set([...byBatch.keys(), ...fees.keys()])) {
    const ofBatch = byBatch.get(id) ?? []
    const wei = ofBatch.reduce((sum, { hash }) => sum + (costs.get(hash) ?? 0n), 0n)
    const is = fees.get(id) ?? 0n
    if (is === wei) continue
    const state = ofBatch.map(({ hash, block_number: block, check_at: at }) =>
      [hash, costs.has(hash) ? 'mined' : 'not mined', `block ${block}`, at ? 'followed' : 'final'].join(' '),
    )
    found.push(
      finding('ledger', `gas in wei of the payouts of batch ${id} (${state.join(', ')})`, `${wei} (chain)`, is),
    )
  }
  return found
}

async function againstSolana({ view, sql }: Evidence, sums: readonly Sum[]): Promise<Finding[]> {
  const account = 'treasury:solana'
  const { sent, landed } = await solanaTruth(view).sentBy(view.treasury.solana)
  const found: Finding[] = []
  for (const [currency, { address, decimals }] of Object.entries(view.chains.solana.tokens)) {
    const onChain = sent.get(address) ?? 0n
    const booked = baseUnits(sumOf(sums, 'credit', { account, kind: 'payout', currency }), decimals)
    if (onChain !== booked) {
      found.push(finding('ledger', `${currency} paid out by ${account}`, `${onChain} (chain)`, booked))
    }
  }
  const known = new Set((await sql<TreasuryRow>(TREASURY_TRANSACTIONS, ['solana'])).map(({ hash }) => hash))
  for (const signature of landed) {
    if (!known.has(signature))
      found.push(finding('ledger', `${account}'s transaction ${signature}`, 'known', 'unknown'))
  }
  return found
}
