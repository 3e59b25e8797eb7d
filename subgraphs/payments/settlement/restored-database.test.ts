import { Keypair, SystemProgram, Transaction } from '@solana/web3.js'
import { parseUnits, type Hex } from 'viem'
import { describe, expect, it } from 'vitest'
import { startSettlementHarness, startSolanaSettlementHarness } from '../../../test/harness/settlement.js'
import { balanceOf as balanceOnSolana } from '../../../test/harness/solana-side.js'
import type { SolanaHarness } from '../../../test/harness/solana.js'
import type { PaymentsHarness } from '../../../test/harness/payments.js'
import { balanceIn } from '../fixtures/books.js'
import { fundRefunds, orderRefund, untilRefunded } from '../fixtures/refunds.js'
import { reconcile } from '../domain/reconciliation/reconcile-jobs.js'
import { syncReceived } from '../domain/reconciliation/sync-received.js'
import { chargedPayment, payAndProcess, presentOf, untilEnded } from '../fixtures/pix-payments.js'
import { backUp, decide, heldOf, settle } from '../fixtures/restored-database.js'
import { ledger } from '../fixtures/run-ledger.js'
import type { Payment } from '../store/payment.entity.js'

/** 100 BRL. */
const PAID = '18.450185'

const harness = await startSettlementHarness({ batches: true })
const { deps } = harness

async function charged(receiver = harness.newReceiver()): Promise<{ payment: Payment; txid: string; receiver: Hex }> {
  const splitPaymentConfig = [{ receiverWallet: receiver, receiverPercent: 100 }]
  return { ...(await chargedPayment(harness, { splitPaymentConfig })), receiver }
}

/** A payout that a restored database knows as a transaction of somebody else's alone. Gives its hash. */
async function foreignPayout(): Promise<string> {
  const paid = await charged()
  await reconcile(deps, { chainName: 'polygon' })
  const restore = await backUp(harness)
  await payAndProcess(harness, paid.txid)
  const { tidHash } = await untilEnded(harness, paid.payment)
  await restore()
  await syncReceived(deps)
  await settle(harness, 'polygon')
  return tidHash ?? ''
}

describe('a treasury whose database was restored to before its last payouts', () => {
  it('pays nobody twice, says which transactions have paid them, and counts these where an operator says so', async () => {
    const first = await charged()
    await payAndProcess(harness, first.txid)
    await untilEnded(harness, first.payment)
    const one = await charged()
    // Of the same receiver and amount: each has to have a transfer of its own.
    const two = await charged(one.receiver)
    const restore = await backUp(harness)
    for (const { txid } of [one, two]) await harness.pixControl(`/cob/${txid}/pay`)
    await payAndProcess(harness, one.txid).catch(() => undefined)
    for (const { payment } of [one, two])
      expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    const { tidHash } = await presentOf(harness, one.payment)
    await restore()
    expect(await presentOf(harness, one.payment)).toMatchObject({ status: 'pending', tidHash: null })
    await syncReceived(deps)
    await settle(harness, 'polygon')
    for (const { payment, receiver } of [one, two]) {
      const { state, told } = await heldOf(harness, payment)
      expect(state).toBe('held')
      expect(told).toEqual([expect.stringContaining('resolve foreign:0x')])
      expect(await harness.balanceOf(receiver)).toBe(2n * parseUnits(PAID, 6))
    }
    // Nothing about it can be proven, and no node may have shown its bytes.
    await harness.query(`update payments.treasury_transaction set raw = '0x' where batch_id = $1`, [
      `foreign:${tidHash}`,
    ])
    expect(await decide(harness, 'retry', `foreign:${tidHash ?? ''}`, '--reason', 'nobody shows it')).toBe(1)
    expect(await heldOf(harness, one.payment)).toMatchObject({ state: 'held' })
    expect(await decide(harness, 'resolve', `foreign:${tidHash ?? ''}`, '--reason', 'the chain shows it')).toBe(0)
    expect(await presentOf(harness, one.payment)).toMatchObject({ status: 'success', tidHash })
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
    // What is new is paid as ever.
    const next = await charged()
    await payAndProcess(harness, next.txid)
    expect(await untilEnded(harness, next.payment)).toMatchObject({ status: 'success' })
    expect(await harness.balanceOf(next.receiver)).toBe(parseUnits(PAID, 6))
  })

  it('pays nobody again whose payout a part was refunded of once it had left, and books the rest as paid too much', async () => {
    const one = await charged()
    // Of the same receiver, and exactly what was paid to it: it is held by the other transfer.
    const two = await charged(one.receiver)
    const restore = await backUp(harness)
    for (const { txid } of [one, two]) await harness.pixControl(`/cob/${txid}/pay`)
    await payAndProcess(harness, one.txid).catch(() => undefined)
    for (const { payment } of [one, two])
      expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    await fundRefunds(harness.databaseUrl, harness.tenant.id, '50', 'restored')
    await orderRefund(harness, one.payment, { amount: '50' })
    await untilRefunded(harness, one.payment)
    await restore()
    await syncReceived(deps)
    await settle(harness, 'polygon')
    await settle(harness, 'polygon')
    expect(await harness.balanceOf(one.receiver)).toBe(2n * parseUnits(PAID, 6))
    const ids = new Set<string>()
    for (const { payment } of [one, two]) {
      const { state, told } = await heldOf(harness, payment)
      expect(state).toBe('held')
      ids.add(/resolve (foreign:0x[0-9a-f]+)/.exec(told[0] ?? '')?.[1] ?? '')
    }
    for (const id of ids) expect(await decide(harness, 'resolve', id, '--reason', 'the chain shows it')).toBe(0)
    expect(await balanceIn(deps, 'overpaid:polygon', 'USDT')).toBe('9.225092')
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('pays no coins twice, nor those of a payout that a reserve was taken off, and pays them where an operator says so', async () => {
    await deps.refunds.setReserve(harness.tenant.id, '10')
    const receiver = harness.newReceiver()
    const splitPaymentConfig = [{ receiverWallet: receiver, receiverPercent: 100 }]
    const { payment, txid } = await chargedPayment(harness, { splitPaymentConfig, toCurrencySymbol: 'POL' })
    const restore = await backUp(harness)
    await payAndProcess(harness, txid)
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    const paid = await harness.anvil.getBalance({ address: receiver })
    await restore()
    await syncReceived(deps)
    await settle(harness, 'polygon')
    expect(await heldOf(harness, payment)).toMatchObject({ state: 'held' })
    expect(await harness.anvil.getBalance({ address: receiver })).toBe(paid)
    expect(await decide(harness, 'release', payment.id)).toBe(0)
    await settle(harness, 'polygon')
    expect(await harness.anvil.getBalance({ address: receiver })).toBe(2n * paid)
    await deps.refunds.setReserve(harness.tenant.id, '0')
  })

  it('counts a payout in coins as paid by the transaction that an operator names, where the chain shows that', async () => {
    const toCoins = async () => {
      const receiver = harness.newReceiver()
      const splitPaymentConfig = [{ receiverWallet: receiver, receiverPercent: 100 }]
      return { receiver, ...(await chargedPayment(harness, { splitPaymentConfig, toCurrencySymbol: 'POL' })) }
    }
    const [one, two] = [await toCoins(), await toCoins()]
    const restore = await backUp(harness)
    const hashes: string[] = []
    for (const { payment, txid } of [one, two]) {
      await payAndProcess(harness, txid)
      hashes.push((await untilEnded(harness, payment)).tidHash ?? '')
    }
    const paid = await harness.anvil.getBalance({ address: one.receiver })
    await restore()
    await syncReceived(deps)
    await settle(harness, 'polygon')
    const [hash = '', other = ''] = hashes
    const count = (by: string) =>
      decide(harness, 'resolve', one.payment.id, '--hash', by, '--reason', 'the explorer shows it')
    expect(await decide(harness, 'resolve', one.payment.id, '--hash', hash)).toBe(2)
    for (const wrong of [other, `0x${'ab'.repeat(32)}`]) expect(await count(wrong)).toBe(1)
    expect((await heldOf(harness, one.payment)).state).toBe('held')
    expect(await count(hash)).toBe(0)
    expect(await presentOf(harness, one.payment)).toMatchObject({ status: 'success', tidHash: hash })
    expect(await count(hash)).toBe(2)
    expect((await heldOf(harness, two.payment)).state).toBe('held')
    expect(await harness.anvil.getBalance({ address: one.receiver })).toBe(paid)
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('books what is resolved so that the books are the chain’s', async () => {
    const tidHash = await foreignPayout()
    expect(await decide(harness, 'resolve', `foreign:${tidHash}`, '--reason', 'the chain shows it')).toBe(0)
    await harness.anvil.mine({ blocks: 2 })
    await harness.goOn(10)
    await reconcile(deps, { chainName: 'polygon' })
    const found = await deps.differences.list({ isClosedToo: false, limit: 10 })
    // The gas of what was lost with the database is not booked; the tokens agree.
    expect(found.filter(({ currency }) => currency === 'USDT')).toEqual([])
    expect(found.map(({ kind }) => kind)).toContain('wrong_fee')
  })

  it('is not corrected by a difference of balances that what was booked since has mended', async () => {
    const tidHash = await foreignPayout()
    const compare = async () => {
      await harness.anvil.mine({ blocks: 2 })
      await harness.goOn(10)
      await reconcile(deps, { chainName: 'polygon' })
      const found = await deps.differences.list({ isClosedToo: false, limit: 10 })
      return found.filter(({ currency }) => currency === 'USDT')
    }
    const [found] = await compare()
    expect(found).toMatchObject({ kind: 'wrong_balance', subject: 'polygon:USDT' })
    expect(await decide(harness, 'resolve', `foreign:${tidHash}`, '--reason', 'the chain shows it')).toBe(0)
    const lost = await ledger(harness, 'resolve', found?.id ?? '', '--as', 'loss', '--reason', 'nobody knows')
    expect(lost).toMatchObject({ code: 2, text: expect.stringContaining('compare them again') as string })
    expect(await balanceIn(deps, 'loss:payout', 'USDT')).toBe('0')
    expect(await compare()).toEqual([])
  })

  it('says of what was paid before its payer was refunded whole whom it has paid', async () => {
    const { payment, txid } = await charged()
    const restore = await backUp(harness)
    await payAndProcess(harness, txid)
    const { tidHash } = await untilEnded(harness, payment)
    await fundRefunds(harness.databaseUrl, harness.tenant.id, '100', 'whole')
    await orderRefund(harness, payment)
    await untilRefunded(harness, payment)
    await restore()
    await syncReceived(deps)
    await settle(harness, 'polygon')
    const [payout] = await deps.payouts.findAll(payment)
    expect(payout).toMatchObject({ state: 'cancelled', amount: '0' })
    await harness.anvil.mine({ blocks: 2 })
    await harness.goOn(10)
    await reconcile(deps, { chainName: 'polygon' })
    const found = await deps.differences.list({ isClosedToo: false, limit: 10 })
    expect(found.filter(({ currency }) => currency === 'USDT')).toMatchObject([
      { kind: 'paid_twice', actual: `-${PAID}`, details: expect.stringContaining(tidHash ?? 'nothing') as string },
    ])
    expect(found.find(({ kind }) => kind === 'paid_twice')?.details).toContain(payment.id)
    expect(await deps.ledger.findDiscrepancies()).toEqual([])
  })
})

describe('the same on Solana', () => {
  const termsFor = (receiverWallet: string) => ({
    ...{ toChain: 'solana', toCurrencySymbol: 'USDC', amountFrom: '54.2' },
    splitPaymentConfig: [{ receiverWallet, receiverPercent: 100 }],
  })

  /** A payment that was paid out after a backup, the database back at that backup, and the provider's word that its payer has paid. */
  async function paidBeforeRestore(meanwhile = (_: SolanaHarness): Promise<unknown> => Promise.resolve()) {
    const onSolana = await startSolanaSettlementHarness()
    const receiver = Keypair.generate().publicKey.toBase58()
    const { payment, txid } = await chargedPayment(onSolana, termsFor(receiver))
    const restore = await backUp(onSolana)
    await payAndProcess(onSolana, txid)
    const settleOn = () => settle(onSolana, 'solana', () => onSolana.solana.solana.advance(1))
    await settleOn()
    expect(await presentOf(onSolana, payment)).toMatchObject({ status: 'success' })
    await meanwhile(onSolana.solana)
    await restore()
    await syncReceived(onSolana.deps)
    const balance = () => balanceOnSolana(onSolana.solana, receiver)
    return { onSolana, payment, settleOn, balance }
  }

  const stuckOf = async ({ deps: { alerts } }: PaymentsHarness) =>
    (await alerts.list()).filter(({ kind, subject }) => kind === 'payout_stuck' && subject === 'solana')

  /** More transactions that name the treasury than a node lists at once; each has its own amount, so that no two are the same. */
  async function nameInMany({ client, payer, treasury }: SolanaHarness, from = 1): Promise<void> {
    const { blockhash, lastValidBlockHeight } = await client.connection.getLatestBlockhash()
    for (let lamports = from; lamports < from + 1_050; lamports += 1) {
      const transfer = { fromPubkey: payer.publicKey, toPubkey: treasury.publicKey, lamports }
      const transaction = new Transaction({ feePayer: payer.publicKey, blockhash, lastValidBlockHeight })
      transaction.add(SystemProgram.transfer(transfer)).sign(payer)
      const wire = transaction.serialize().toString('base64')
      await client.call('sendTransaction', [wire, { encoding: 'base64', skipPreflight: true }])
    }
  }

  it('pays nobody twice', async () => {
    const { onSolana, payment, settleOn, balance } = await paidBeforeRestore()
    await settleOn()
    const { state, told } = await heldOf(onSolana, payment)
    expect(state).toBe('held')
    expect(told).toHaveLength(1)
    expect(await balance()).toBe(10_000_923n)
  })

  it('pays nobody while nodes list none of its transactions, of which an operator is told until they do', async () => {
    const { onSolana, payment, settleOn, balance } = await paidBeforeRestore()
    // As where the index of addresses is late: the slots of the node are the newest.
    onSolana.pool.forgets = true
    onSolana.pool.isBehind = (method) => method === 'getSignaturesForAddress'
    for (let times = 0; times < 5; times += 1) await settleOn()
    expect(await balance()).toBe(10_000_923n)
    expect((await heldOf(onSolana, payment)).state).toBe('waiting')
    expect(await stuckOf(onSolana)).toHaveLength(1)
    onSolana.pool.isBehind = () => false
    await settleOn()
    expect((await heldOf(onSolana, payment)).state).toBe('held')
    expect(await stuckOf(onSolana)).toEqual([])
    expect(await balance()).toBe(10_000_923n)
  })

  it('finds what has paid a receiver behind what strangers have sent, and pays others whatever they send', async () => {
    const { onSolana, payment, settleOn, balance } = await paidBeforeRestore(nameInMany)
    await settleOn()
    expect((await heldOf(onSolana, payment)).state).toBe('held')
    expect(await balance()).toBe(10_000_923n)
    await nameInMany(onSolana.solana, 2_000)
    const other = Keypair.generate().publicKey.toBase58()
    const { payment: next, txid } = await chargedPayment(onSolana, termsFor(other))
    // Nobody is asked what they have moved.
    onSolana.pool.isBehind = (method) => method === 'getTransaction'
    onSolana.pool.forgets = true
    await payAndProcess(onSolana, txid)
    await settleOn()
    expect(await balanceOnSolana(onSolana.solana, other)).toBe(10_000_923n)
    onSolana.pool.isBehind = () => false
    await settleOn()
    expect(await presentOf(onSolana, next)).toMatchObject({ status: 'success' })
    expect(await stuckOf(onSolana)).toEqual([])
  })
})
