import { describe, expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { paidPayment, payAndProcess, presentOf, startPix } from '../../fixtures/pix-payments.js'
import { runLedger } from '../../fixtures/run-ledger.js'
import { returnsOf } from '../../fixtures/rows.js'
import { until } from '../../../../test/harness/until.js'

const harness = await startPaymentsHarness()
const run = (mode: string): Promise<number> =>
  runLedger(harness, 'third-party-pix', '--tenant', harness.tenant.id, '--mode', mode)
const PAYER = { cpf: '52998224725', nome: 'Ana' }
const OTHER = { cpf: '11144477735', nome: 'Bia' }

describe("a Pix from another person's account", () => {
  it('is taken, unless the tenant wants none', async () => {
    const { payment } = await paidPayment(harness, {}, { pagador: OTHER })
    expect((await harness.deps.payouts.findAll(payment)).length).toBe(1)
  })

  it('goes back whole, pays nobody, and the payer may pay again', async () => {
    expect(await run('return')).toBe(0)
    const { payment } = await paidPayment(harness, {}, { pagador: OTHER })
    await until('the money is back', async () => {
      await harness.goOn(10)
      return (await returnsOf(harness, payment)).some(({ status }) => status === 'done')
    })
    expect(await returnsOf(harness, payment)).toMatchObject([{ reason: 'payer_mismatch' }])
    expect(await presentOf(harness, payment)).toMatchObject({ status: 'error', dataError: { code: 'payer_mismatch' } })
    expect(await harness.deps.payouts.findAll(payment)).toEqual([])
    const again = await startPix(harness, payment)
    const charge = await harness.deps.charges.find(harness.tenant.id, again.chargeId ?? '')
    await payAndProcess(harness, charge?.reference ?? '', { pagador: PAYER })
    expect((await harness.deps.payouts.findAll(payment)).length).toBe(1)
    expect(await harness.deps.ledger.findDiscrepancies()).toEqual([])
  })

  it('is no other person where the provider does not tell who paid', async () => {
    const { payment } = await paidPayment(harness)
    expect((await harness.deps.payouts.findAll(payment)).length).toBe(1)
    expect(await run('maybe')).toBe(2)
  })

  it('is kept as a keyed hash only', async () => {
    const tables = ['charge', 'receipt', 'payment', 'payment_event', 'receipt_return']
    for (const table of tables) {
      const rows = JSON.stringify(await harness.query(`select * from payments.${table}`))
      expect(rows).not.toContain(OTHER.cpf)
    }
  })
})
