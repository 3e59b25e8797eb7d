import { Keypair } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { buildTransfer } from '../../../chains/solana/build-transfer.js'
import { startSolanaSettlementHarness } from '../../../test/harness/settlement.js'
import { signWire } from '../../../test/harness/solana-side.js'
import { freshPaymentId, USDC } from '../../../test/harness/solana.js'
import { until } from '../../../test/harness/until.js'
import { reconcileJob } from '../domain/reconciliation/reconcile-jobs.js'
import { resolveDifference } from '../domain/reconciliation/resolve-difference.js'
import { balanceIn, compareChain, openDifferences } from '../fixtures/books.js'
import { paidPayment, presentOf } from '../fixtures/pix-payments.js'
import type { Payment } from '../store/payment.entity.js'

/** 54.2 BRL. */
const PAID = '10.000923'
const PAID_UNITS = 10_000_923n

const harness = await startSolanaSettlementHarness()
const { deps, solana, pass } = harness

const newReceiver = (): string => Keypair.generate().publicKey.toBase58()

async function paidOut(...receivers: string[]): Promise<Payment> {
  const receiverPercent = 100 / receivers.length
  const splitPaymentConfig = receivers.map((receiverWallet) => ({ receiverWallet, receiverPercent }))
  const terms = { toChain: 'solana', toCurrencySymbol: 'USDC', amountFrom: '54.2', splitPaymentConfig }
  const { payment } = await paidPayment(harness, terms)
  await until('the payment succeeds', async () => {
    await pass(1)
    return (await presentOf(harness, payment)).status === 'success'
  })
  return payment
}

async function compareBooks(): Promise<void> {
  await pass(20)
  expect(await compareChain(harness, 'solana')).toBeNull()
  // What a node calls final gets no transaction any more; this one calls the running slot final, so it must end.
  await pass(1)
}

const open = () => openDifferences(deps)
const kinds = async () => (await open()).map(({ kind }) => kind).sort()
const suspense = () => balanceIn(deps, 'suspense:solana', 'USDC')

/** Resolves everything that is open: what somebody sends by hand costs coins too, which show in the balance. */
async function resolveAll(): Promise<void> {
  for (const { id } of await open()) {
    await resolveDifference(deps, { id, reason: 'an operator knows', by: 'test', as: 'loss' })
  }
}

/** Somebody else with the treasury's key sends tokens. */
async function sendByHand(wallet: string, amount: bigint): Promise<string> {
  const from = solana.treasury.publicKey.toBase58()
  const shares = [{ wallet, amount }]
  const { client } = solana
  const built = await buildTransfer({ client, from, asset: USDC, symbol: 'USDC', shares, paymentId: freshPaymentId() })
  const sent = await client.call('sendTransaction', [
    signWire(solana.treasury, built.serialized),
    { encoding: 'base64' },
  ])
  return sent as string
}

/** Somebody sends tokens to the treasury. */
async function fund(amount: bigint): Promise<string> {
  const { client, payer } = solana
  const built = await buildTransfer({
    client,
    from: payer.publicKey.toBase58(),
    asset: USDC,
    symbol: 'USDC',
    shares: [{ wallet: solana.treasury.publicKey.toBase58(), amount }],
    paymentId: freshPaymentId(),
  })
  return (await client.call('sendTransaction', [signWire(payer, built.serialized), { encoding: 'base64' }])) as string
}

/** An operator says that transactions are the owner's. */
async function orderAll(hashes: readonly string[]): Promise<unknown[]> {
  for (const hash of hashes) {
    const given = { id: deps.newId(), chainName: 'solana', hash, reason: 'the owner', orderedBy: 'ana' }
    await deps.ownerTransfers.order(given, reconcileJob({ chainName: 'solana' }))
  }
  await compareBooks()
  return harness.query('select state, result from payments.owner_transfer order by ordered_at, id')
}

describe('the reconciliation of a treasury on Solana', () => {
  it('takes what it holds at first as the owner’s, and finds nothing while payouts come and go', async () => {
    await compareBooks()
    for (const currency of ['USDC', 'SOL']) {
      expect(Number(await balanceIn(deps, 'treasury:solana', currency))).toBeGreaterThan(0)
    }
    const twice = newReceiver()
    await paidOut(newReceiver())
    await paidOut(twice, newReceiver(), twice, newReceiver())
    await compareBooks()
    expect(await open()).toEqual([])
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('finds a payout that was made a second time, and keeps it in suspense until an operator says whose it is', async () => {
    const receiver = newReceiver()
    await paidOut(receiver)
    await sendByHand(receiver, PAID_UNITS)
    await compareBooks()
    expect(await open()).toContainEqual(expect.objectContaining({ kind: 'paid_twice', actual: `-${PAID}` }))
    expect(await suspense()).toBe(PAID)
    await compareBooks()
    expect(await suspense()).toBe(PAID)
    await resolveAll()
    expect(await suspense()).toBe('0')
    await compareBooks()
    expect(await open()).toEqual([])
  })

  it('finds what came to the treasury, and what left it for somebody', async () => {
    await fund(7_000_000n)
    await sendByHand(newReceiver(), 3_000_000n)
    await compareBooks()
    const transfers = (await open()).filter(({ kind }) => kind === 'unknown_transfer')
    expect(transfers.map(({ actual }) => actual).sort()).toEqual(['-3', '7'])
    await resolveAll()
    await compareBooks()
    expect(await open()).toEqual([])
  })

  it('books what its owner has put in and taken out, by the transaction', async () => {
    const hashes = [await fund(9_000_000n), await sendByHand(newReceiver(), 4_000_000n)]
    await pass(20)
    expect(await orderAll(hashes)).toEqual([
      { state: 'done', result: 'in 9 USDC' },
      { state: 'done', result: 'out 4 USDC' },
    ])
    expect(await open()).toEqual([])
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('finds a payout that vanished, and finds it back', async () => {
    const payment = await paidOut(newReceiver())
    const [payout] = await deps.payouts.findAll(payment)
    const hash = payout?.hash ?? ''
    const vanished = `${hash.startsWith('5') ? '4' : '5'}${hash.slice(1)}`
    const rename = async (from: string, to: string): Promise<void> => {
      await harness.query('update payments.treasury_transaction set hash = $2 where hash = $1', [from, to])
      await harness.query('update payments.payout set hash = $2 where hash = $1', [from, to])
    }
    await rename(hash, vanished)
    await compareBooks()
    expect(await kinds()).toContain('payout_missing')
    await rename(vanished, hash)
    await compareBooks()
    expect(await kinds()).not.toContain('payout_missing')
  })

  it('finds a fee that is booked with another amount than the chain took', async () => {
    await resolveAll()
    const payment = await paidOut(newReceiver())
    await harness.query(
      `update payments.ledger_line set debit = case when debit > 0 then debit + 1 else 0 end,
        credit = case when credit > 0 then credit + 1 else 0 end where payment_id = $1 and entry like 'fee:%'`,
      [payment.id],
    )
    await compareBooks()
    expect(await kinds()).toEqual(['wrong_balance', 'wrong_fee'])
  })
})
