import { afterAll, describe, expect, it } from 'vitest'
import { privateKeyToAddress } from 'viem/accounts'
import { subtract } from '../../../kernel/money.js'
import { balanceIn } from '../fixtures/books.js'
import { ledger, runLedger } from '../fixtures/run-ledger.js'
import { paidPayment, untilEnded } from '../fixtures/pix-payments.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import type { Payment } from '../store/payment.entity.js'
import { correctFee } from './confirm-batch.js'

const harness = await startSettlementHarness({ finalityBlocks: 20 })
afterAll(async () => {
  expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
})

const bearGas = (by: string) => runLedger(harness, 'gas', '--tenant', harness.tenant.id, '--by', by)

async function paidOut(): Promise<Payment> {
  const splitPaymentConfig = [{ receiverWallet: harness.newReceiver(), receiverPercent: 100 }]
  const { payment } = await paidPayment(harness, { splitPaymentConfig })
  expect(await untilEnded(harness, payment)).toMatchObject({ status: 'success' })
  return payment
}

/** What an account was debited of the chain's coin for a payment. */
async function coinOf({ id }: Payment, account: string): Promise<string> {
  const [row] = await harness.query(
    `select coalesce(trim_scale(sum(debit - credit)), 0)::text as sum from payments.ledger_line
      where payment_id = $1 and account = $2 and currency = 'POL'`,
    [id, account],
  )
  return String(row?.['sum'])
}

describe('the gas of payouts', () => {
  it('is borne by the platform, unless its operator says otherwise', async () => {
    const payment = await paidOut()
    expect(Number(await coinOf(payment, 'fees:polygon'))).toBeGreaterThan(0)
    expect(await coinOf(payment, 'tenant')).toBe('0')
  })

  it('is owed by a tenant that bears it, to the last unit, also after its block has changed', async () => {
    expect(await bearGas('tenant')).toBe(0)
    const payment = await paidOut()
    const spent = await coinOf(payment, 'fees:polygon')
    expect([await coinOf(payment, 'tenant'), await coinOf(payment, 'revenue:gas')]).toEqual([spent, `-${spent}`])
    expect(await bearGas('platform')).toBe(0)
    // What was recovered is corrected with the fee, whoever bears the next one.
    const account = { chainName: harness.chain.name, account: privateKeyToAddress(harness.treasuryKey) }
    const landed = await harness.deps.landed.findUpTo(account, Number(await harness.anvil.getBlockNumber()), 1_000)
    const signed = (await harness.deps.payouts.withLegs(landed)).find(
      ({ legs }) => legs[0]?.leg.paymentId === payment.id,
    )
    if (!signed) throw new Error('the payout is not followed')
    for (const amount of ['0.5', '0.001']) {
      const fee = { amount, currency: 'POL', decimals: 18 }
      await correctFee(harness.deps, [signed.transaction.hash], { signed, fee })
      expect([await coinOf(payment, 'fees:polygon'), await coinOf(payment, 'tenant')]).toEqual([amount, amount])
    }
  })

  it('is paid by the tenant over all payments, once per reference and no more than is owed', async () => {
    const { tenant, deps } = harness
    const owed = (): Promise<string> =>
      deps.ledger.transaction((em) => deps.ledger.gasOwed(em, { tenantId: tenant.id, currency: 'POL' }))
    const settle = (amount: string, reference: string, ...more: string[]) =>
      ledger(harness, 'settle-debt', '--tenant', tenant.id, '--amount', amount, '--reference', reference, ...more)
    const inCoin = ['--currency', 'POL']
    await bearGas('tenant')
    const spent = [await coinOf(await paidOut(), 'fees:polygon'), await coinOf(await paidOut(), 'fees:polygon')]
    await bearGas('platform')
    const before = await owed()
    for (const one of spent) expect(Number(one)).toBeGreaterThan(0)
    expect((await settle('0.000000000000000001', 'first', ...inCoin)).code).toBe(0)
    expect((await settle('0.000000000000000001', 'first', ...inCoin)).code).toBe(1)
    const left = subtract(before, '0.000000000000000001')
    expect(await owed()).toBe(left)
    expect((await settle(before, 'second', ...inCoin)).text).toContain(`owes of the gas of its payouts: ${left} POL.`)
    expect((await settle('0.01', 'second')).text).toContain('owes of the gas of its payouts: 0 BRL.')
    expect(JSON.parse((await settle(left, 'second', ...inCoin)).text)).toMatchObject({ booked: true, owed: '0' })
    expect(await balanceIn(deps, 'tenant', 'POL')).toBe('0')
    expect(await balanceIn(deps, 'bank', 'POL')).toBe(before)
  })

  it('is borne by the tenant or the platform, and nobody else', async () => {
    expect(await bearGas('nobody')).toBe(2)
  })
})
