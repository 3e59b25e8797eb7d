import { parseEther } from 'viem'
import { beforeAll, describe, expect, it } from 'vitest'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { paidPayment, untilEnded } from '../fixtures/pix-payments.js'
import { setFirstPayout, transactionsOf } from '../fixtures/rows.js'
import { settleChainJob } from '../settlement/settlement-jobs.js'
import type { AlertKind } from './alerts.js'
import type { Payment } from './payment.entity.js'

const harness = await startSettlementHarness()
const { deps, chain, pool, anvil } = harness

/** Closes the alerts whose cause is gone, once they are old enough, and gives whether one of these is open. */
async function isOpen(kind: AlertKind, subject: string): Promise<boolean> {
  await harness.advance(11)
  await deps.alerts.closeGone()
  return (await deps.alerts.list()).some((alert) => alert.kind === kind && alert.subject === subject)
}

/** A payment whose receiver has been paid. */
async function paidOut(): Promise<Payment> {
  const { payment } = await paidPayment(harness)
  expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
  return payment
}

describe('an alert that payouts of a chain are stuck', () => {
  const raise = () => deps.alerts.raise({ kind: 'payout_stuck', subject: chain.name, details: 'gas is dear' })

  it('is open while those wait that waited when it was raised, whatever waits since', async () => {
    const old = await paidOut()
    await setFirstPayout(harness, old, 'waiting')
    await harness.advance(1)
    await raise()
    expect(await isOpen('payout_stuck', chain.name)).toBe(true)
    await setFirstPayout(harness, old, 'sending')
    const since = await paidOut()
    await setFirstPayout(harness, since, 'waiting')
    expect(await isOpen('payout_stuck', chain.name)).toBe(false)
    await harness.query(`update payments.payout set state = 'confirmed'`)
  })

  it('is not kept open by what is paused, nor by what waits for its tenant’s delay', async () => {
    await deps.pauses.pause({ chainName: chain.name }, 'for a look')
    const { payment } = await paidPayment(harness)
    await harness.advance(1)
    await raise()
    expect(await isOpen('payout_stuck', chain.name)).toBe(false)
    await harness.query(
      `update payments.payout set hold_reason = 'delay', not_before = not_before + interval '1 day' where payment_id = $1`,
      [payment.id],
    )
    await deps.pauses.resume({ chainName: chain.name }, settleChainJob)
    await raise()
    expect(await isOpen('payout_stuck', chain.name)).toBe(false)
    await harness.query('update payments.payout set hold_reason = null, not_before = created_at')
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
  })
})

describe('an alert that no node takes a payout', () => {
  it('is open until its transaction is over', async () => {
    const refusal = { code: -32000, message: 'insufficient funds for gas * price + value' }
    pool.refuses = ({ method }) => method === 'eth_sendRawTransaction' && refusal
    const { payment } = await paidPayment(harness)
    const [transaction] = await transactionsOf(harness, payment)
    const subject = String(transaction?.['batch_id'])
    expect(await isOpen('payout_failed', subject)).toBe(true)
    pool.refuses = () => false
    await harness.goOn(20)
    expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
    expect(await isOpen('payout_failed', subject)).toBe(false)
  })
})

describe('an alert that a transaction of the gas payer is stuck', () => {
  beforeAll(async () => {
    await anvil.setBalance({ address: harness.options.gasPayerSigner.address, value: parseEther('10000') })
  })
  const send = (purpose: string) =>
    deps.gasPayer.send(chain, purpose, { to: harness.newReceiver(), value: 1n, data: '0x' })

  it('is open while it is in no block, and is not kept open by those that were sent since', async () => {
    await anvil.setAutomine(false)
    await send('slow')
    await harness.advance(61)
    // It gets higher fees, and is written down anew.
    await send('slow')
    expect(await isOpen('operator_stuck', chain.name)).toBe(true)
    await anvil.mine({ blocks: 1 })
    await send('new')
    expect(await isOpen('operator_stuck', chain.name)).toBe(false)
    await anvil.setAutomine(true)
  })
})
