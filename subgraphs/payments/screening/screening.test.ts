import { describe, expect, it } from 'vitest'
import { placeSanctionsOracle, SANCTIONS_ORACLE, setSanctioned } from '../../../test/harness/sanctions-oracle.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { walletList } from '../../../test/harness/wallet-list.js'
import { checkoutPayment } from '../fixtures/payments.js'
import {
  chargedPayment,
  paidPayment,
  payAndProcess,
  presentOf,
  startPix,
  untilEnded,
} from '../fixtures/pix-payments.js'
import { runLedger } from '../fixtures/run-ledger.js'
import { chargesOf } from '../fixtures/rows.js'

const list = await walletList()
const screening = { listFile: list.path, oracles: { polygon: SANCTIONS_ORACLE } }
const harness = await startSettlementHarness({ screening })
await placeSanctionsOracle(harness.anvil)

const splitTo = (...receivers: string[]) =>
  receivers.map((receiverWallet) => ({ receiverWallet, receiverPercent: 100 / receivers.length }))
const byWallet = { transactionType: 'crypto', chainName: 'polygon', payerTokenSymbol: 'USDT' } as const
const payoutsOf = async (payment: { tenantId: string; id: string }) =>
  (await harness.deps.payouts.findAll(payment)).map(({ state, holdReason }) => [state, holdReason])

describe('a wallet that is refused', () => {
  it('by the list, in whatever case, has the payment refused before anybody is charged', async () => {
    const [good, bad] = [harness.newReceiver(), harness.newReceiver()]
    const payment = await checkoutPayment(harness, { splitPaymentConfig: splitTo(good, bad) })
    list.refuse(`${bad.toUpperCase().replace('0X', '0x')} # since today`)
    await expect(startPix(harness, payment)).rejects.toMatchObject({
      code: 'wallet_refused',
      details: 'the wallet of receiver 1',
    })
    expect(await chargesOf(harness, payment)).toEqual([])
  })

  it('by the oracle of its chain pays nothing', async () => {
    const payerWallet = harness.newReceiver()
    await setSanctioned(harness.anvil, payerWallet, true)
    const payment = await checkoutPayment(harness, { splitPaymentConfig: splitTo(harness.newReceiver()) })
    await expect(startPix(harness, payment, { ...byWallet, payerWallet })).rejects.toMatchObject({
      code: 'wallet_refused',
      details: 'the wallet of the payer',
    })
  })

  it('only after its payment was charged is not paid, until an operator says so', async () => {
    const [good, bad] = [harness.newReceiver(), harness.newReceiver()]
    const { payment, txid } = await chargedPayment(harness, { splitPaymentConfig: splitTo(good, bad) })
    await setSanctioned(harness.anvil, bad, true)
    await payAndProcess(harness, txid)
    await harness.goOn(5)
    expect(await payoutsOf(payment)).toEqual([
      ['confirmed', null],
      ['held', 'wallet_refused'],
    ])
    expect(await harness.balanceOf(bad)).toBe(0n)
    expect(await harness.deps.alerts.list()).toContainEqual(
      expect.objectContaining({ kind: 'payout_held', subject: payment.id }),
    )
    await runLedger(harness, 'release', payment.id)
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })
})

describe('a delay that an operator ends', () => {
  it('lets no wallet pass that is refused', async () => {
    await runLedger(harness, 'delay', '--tenant', harness.tenant.id, '--rail', 'pix', '--hours', '48')
    const bad = harness.newReceiver()
    const { payment } = await paidPayment(harness, { splitPaymentConfig: splitTo(bad) })
    await runLedger(harness, 'delay', '--tenant', harness.tenant.id, '--rail', 'pix', '--hours', '0')
    await setSanctioned(harness.anvil, bad, true)
    expect(await runLedger(harness, 'release', payment.id)).toBe(0)
    await harness.goOn(5)
    expect(await payoutsOf(payment)).toEqual([['held', 'wallet_refused']])
    expect(await harness.balanceOf(bad)).toBe(0n)
  })
})

describe('an oracle that does not answer', () => {
  it('is no permission: nobody is charged, and nobody is paid until it does', async () => {
    const splitPaymentConfig = splitTo(harness.newReceiver())
    const { payment, txid } = await chargedPayment(harness, { splitPaymentConfig })
    await placeSanctionsOracle(harness.anvil, false)
    const other = await checkoutPayment(harness, { splitPaymentConfig })
    await expect(startPix(harness, other)).rejects.toMatchObject({ code: 'provider_unavailable' })
    await payAndProcess(harness, txid)
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'pending' })
    expect(await payoutsOf(payment)).toEqual([['waiting', null]])
    expect((await harness.deps.alerts.list()).map(({ kind }) => kind)).toContain('screening_failed')
    await placeSanctionsOracle(harness.anvil)
    await harness.advance(20)
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
  })
})
