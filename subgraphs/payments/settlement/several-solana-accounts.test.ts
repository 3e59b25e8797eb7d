import { Keypair, SystemProgram, Transaction, type PublicKey } from '@solana/web3.js'
import { describe, expect, it } from 'vitest'
import { holding, holdingAddress, SOLANA_TOKENS } from '../../../sandbox/solana/seed.js'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { balanceOf, fund } from '../../../test/harness/solana-side.js'
import { startSolanaHarness } from '../../../test/harness/solana.js'
import { until } from '../../../test/harness/until.js'
import { chargedPayment, payCharge, presentOf } from '../fixtures/pix-payments.js'
import { reconcileJob } from '../domain/reconciliation/reconcile-jobs.js'
import { balanceIn, compareChain, openDifferences } from '../fixtures/books.js'
import type { Payment } from '../store/payment.entity.js'

const solana = await startSolanaHarness()
// Neither of the two can pay the eight of the first wave alone, whoever of them comes first; both can pay all that follows.
const other = await fund(solana, { usdc: 40_000_000n })
const treasury = solana.treasury.publicKey.toBase58()
const { mint } = SOLANA_TOKENS.USDC
const amount = 75_000_000n
await solana.control.setAccounts([holding(holdingAddress(treasury, mint), { owner: treasury, mint, amount })])
const empty = Keypair.generate()
const harness = await startPaymentsHarness({
  chain: solana.chain,
  treasurySolanaKey: empty.secretKey,
  moreTreasurySolanaKeys: [other.secretKey, solana.treasury.secretKey],
})
const { deps } = harness

/** Payments of 10 USDC, each with a receiver of its own, whose jobs have not run. */
async function wave(count: number): Promise<{ payment: Payment; receiver: string }[]> {
  const payments: { payment: Payment; receiver: string }[] = []
  for (let index = 0; index < count; index += 1) {
    const receiver = Keypair.generate().publicKey.toBase58()
    const splitPaymentConfig = [{ receiverWallet: receiver, receiverPercent: 100 }]
    const terms = { splitPaymentConfig, toChain: 'solana', toCurrencySymbol: 'USDC', amountFrom: '54.2' }
    const { payment, txid } = await chargedPayment(harness, terms)
    await payCharge(harness, txid)
    payments.push({ payment, receiver })
  }
  return payments
}

async function expectPaidOnce(payments: readonly { payment: Payment; receiver: string }[]): Promise<void> {
  for (const { payment, receiver } of payments) {
    await until('the payment succeeds', async () => {
      // No fewer slots than come in the second, or what is on its way would look lost for longer than a token may be short.
      await solana.solana.advance(5)
      await harness.goOn(1)
      return (await presentOf(harness, payment)).status === 'success'
    })
    // 54.2 BRL are 10.0009 USDC.
    const [payout] = await deps.payouts.findAll(payment)
    expect(await balanceOf(solana, receiver)).toBe(BigInt(Math.round(Number(payout?.amount) * 1_000_000)))
  }
  expect(await deps.ledger.findDiscrepancies()).toEqual([])
}

/** Somebody sends coins by hand, in one transaction. @param to with lamports */
async function sendCoins(from: Keypair, to: readonly (readonly [PublicKey, number])[]): Promise<string> {
  const transaction = new Transaction({ feePayer: from.publicKey })
  for (const [toPubkey, lamports] of to) {
    transaction.add(SystemProgram.transfer({ fromPubkey: from.publicKey, toPubkey, lamports }))
  }
  const { connection } = solana.client
  transaction.recentBlockhash = (await connection.getLatestBlockhash()).blockhash
  transaction.sign(from)
  const sent = await connection.sendRawTransaction(transaction.serialize())
  await untilCompared()
  return sent
}

/** Lets everything become final, and compares the books. */
const untilCompared = () =>
  until('all is final and compared', async () => {
    await solana.solana.advance(20)
    return (await compareChain(harness, 'solana')) === null
  })

/** What comes of an operator's word that a transaction is the owner's. */
async function orderOf(hash: string): Promise<Record<string, unknown>> {
  const given = { id: deps.newId(), chainName: 'solana', hash, reason: 'the owner', orderedBy: 'ana' }
  await deps.ownerTransfers.order(given, reconcileJob({ chainName: 'solana' }))
  await untilCompared()
  const [row] = await harness.query('select state, result from payments.owner_transfer where id = $1', [given.id])
  return row ?? {}
}

describe('a treasury of three accounts on Solana, of which one holds nothing', () => {
  it('pays everybody once by those that can, and keeps nobody waiting', async () => {
    const payments = await wave(8)
    await expectPaidOnce(payments)
    const accounts = await harness.query(
      `select distinct account from payments.treasury_transaction join payments.batch_leg using (batch_id) order by account`,
    )
    const funded = [other, solana.treasury].map(({ publicKey }) => publicKey.toBase58())
    expect(accounts.map(({ account }) => account).toSorted()).toEqual(funded.toSorted())
    expect((await deps.alerts.list()).filter(({ kind }) => kind === 'treasury_shortage')).toEqual([])
  })

  it('has books that agree with what all of them hold together', async () => {
    expect(await compareChain(harness, 'solana')).toBeNull()
    await expectPaidOnce(await wave(2))
    await until('all is final', async () => {
      await solana.solana.advance(20)
      return (await compareChain(harness, 'solana')) === null
    })
    expect(await openDifferences(deps)).toEqual([])
  })

  it('has no owner’s coins in what goes from one account to another', async () => {
    const owner = Number(await balanceIn(deps, 'owner', 'SOL'))
    const hash = await sendCoins(other, [[solana.treasury.publicKey, 2_000_000_000]])
    expect(await orderOf(hash)).toEqual({ state: 'done', result: "2 SOL between the treasury's accounts" })
    expect(Number(await balanceIn(deps, 'owner', 'SOL'))).toBe(owner)
    expect(await openDifferences(deps)).toEqual([])
  })

  it('has the owner’s coins once for each account that one transaction fills up', async () => {
    const owner = Number(await balanceIn(deps, 'owner', 'SOL'))
    const hash = await sendCoins(solana.payer, [
      [other.publicKey, 1_000_000_000],
      [solana.treasury.publicKey, 3_000_000_000],
    ])
    const { state, result } = await orderOf(hash)
    expect([state, String(result).split(', ').toSorted()]).toEqual(['done', ['in 1 SOL', 'in 3 SOL']])
    expect(Number(await balanceIn(deps, 'owner', 'SOL'))).toBeCloseTo(owner - 4, 9)
    expect(await openDifferences(deps)).toEqual([])
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })
})
