import { beforeEach, describe, expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../../test/harness/payments.js'
import { cardPayment, payByCard } from '../../fixtures/card-payments.js'
import { checkoutPayment } from '../../fixtures/payments.js'
import { startPix } from '../../fixtures/pix-payments.js'
import { runLedger } from '../../fixtures/run-ledger.js'

const harness = await startPaymentsHarness()
const setMode = (mode: string): Promise<number> =>
  runLedger(harness, 'payer-document', '--tenant', harness.tenant.id, '--mode', mode)
const WRITTEN = ['payment', 'payment_event', 'charge', 'quote', 'limit_use'] as const
const rowsOf = async (): Promise<string> => {
  const tables = WRITTEN.map((table) => harness.query(`select * from payments.${table} order by 1, 2`))
  return JSON.stringify(await Promise.all(tables))
}

beforeEach(async () => {
  harness.kyc.comparison = 'DIFFERENT'
  await setMode('compare')
})

describe("a payer's tax id that is not the verified person's", () => {
  it('is refused by name of its field, charges nobody and writes nothing, by Pix and by card', async () => {
    const [pix, card] = [await checkoutPayment(harness), await cardPayment(harness)]
    const before = await rowsOf()
    await expect(startPix(harness, pix)).rejects.toMatchObject({
      code: 'payer_document_mismatch',
      errors: [{ field: 'payerCpf' }],
    })
    await expect(payByCard(harness, card)).rejects.toMatchObject({
      code: 'payer_document_mismatch',
      errors: [{ field: 'payerDocument' }],
    })
    expect(await rowsOf()).toEqual(before)
    expect(harness.card.countOrders(card.id)).toBe(0)
  })

  it('is taken where it is equal, or nobody knows', async () => {
    for (const comparison of ['EQUAL', 'UNKNOWN']) {
      harness.kyc.comparison = comparison
      expect((await startPix(harness, await checkoutPayment(harness))).status).toBe('pending')
    }
  })

  it('is taken of a tenant who does not want it compared, and of nobody else', async () => {
    expect(await setMode('accept')).toBe(0)
    expect((await startPix(harness, await checkoutPayment(harness))).status).toBe('pending')
    expect(await setMode('maybe')).toBe(2)
  })

  it('is not asked for where the tenant has no verification', async () => {
    const tenant = { ...harness.tenant, products: harness.tenant.products.filter((product) => product !== 'kyc') }
    const bare = { ...harness, tenant }
    expect((await startPix(bare, await checkoutPayment(harness))).status).toBe('pending')
  })
})
