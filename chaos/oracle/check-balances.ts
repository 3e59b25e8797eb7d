import type { Finding } from '../view.js'
import { finding, forEach, type Check, type Evidence, type PaymentRow } from './evidence.js'
import { evmTruth } from './evm-truth.js'
import { add, baseUnits, dueShares } from './money.js'
import { solanaTruth } from './solana-truth.js'

/** Each receiver has on the chain exactly what payments say: once, in full, and nothing of what was not paid. */
export const checkBalances: Check = async (evidence) => [...(await onEvm(evidence)), ...(await onSolana(evidence))]

interface Due {
  /** By receiver; 0 where nothing is due. */
  amounts: Map<string, bigint>
  payments: Map<string, string[]>
}

/** What the receivers of a chain's token are due, each known by an address of its own. */
function dueOn({ payments }: Evidence, chain: string, symbol: string, decimals: number): Due {
  const due: Due = { amounts: new Map(), payments: new Map() }
  for (const payment of payments) {
    if (payment.to_chain !== chain) continue
    const isPaid = payment.status === 'success' && isPaidOnChain(payment) && payment.to_currency_symbol === symbol
    const receivers = payment.split_payment_config
    const total = isPaid ? baseUnits(payment.amount_to ?? '0', decimals) : 0n
    const shares = dueShares(
      total,
      receivers.map(({ receiverPercent }) => receiverPercent),
    )
    for (const [index, { receiverWallet }] of receivers.entries()) {
      add(due.amounts, receiverWallet, shares[index] ?? 0n)
      const { id, status } = payment
      due.payments.set(receiverWallet, [...(due.payments.get(receiverWallet) ?? []), `${id} (${status})`])
    }
  }
  return due
}

/** The receivers of a card's fiat are paid by the processor. */
function isPaidOnChain({ transaction_type: type }: PaymentRow): boolean {
  return type !== 'cardfiat'
}

function compare(due: Due, receiver: string, symbol: string, is: bigint): Finding[] {
  const expected = due.amounts.get(receiver) ?? 0n
  if (expected === is) return []
  const of = due.payments.get(receiver)?.join(', ') ?? ''
  return [finding('balances', `${symbol} of ${receiver}, receiver of payment ${of}, in base units`, expected, is)]
}

async function onEvm(evidence: Evidence): Promise<Finding[]> {
  const truth = evmTruth(evidence.view)
  const found: Finding[] = []
  for (const [symbol, { address, decimals }] of Object.entries(evidence.view.chains.evm.tokens)) {
    const due = dueOn(evidence, 'polygon', symbol, decimals)
    await forEach([...due.amounts.keys()], async (receiver) => {
      found.push(...compare(due, receiver, symbol, await truth.balanceOf(address, receiver)))
    })
  }
  return found
}

async function onSolana(evidence: Evidence): Promise<Finding[]> {
  const truth = solanaTruth(evidence.view)
  const found: Finding[] = []
  for (const [symbol, { address, decimals }] of Object.entries(evidence.view.chains.solana.tokens)) {
    const due = dueOn(evidence, 'solana', symbol, decimals)
    const receivers = [...due.amounts.keys()]
    const balances = await truth.balancesOf(address, receivers)
    for (const [index, receiver] of receivers.entries()) {
      found.push(...compare(due, receiver, symbol, balances[index] ?? 0n))
    }
  }
  return found
}
