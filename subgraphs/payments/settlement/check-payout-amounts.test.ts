import { describe, expect, it } from 'vitest'
import { startPaymentsHarness } from '../../../test/harness/payments.js'
import { checkoutPayment } from '../fixtures/payments.js'
import { startPix } from '../fixtures/pix-payments.js'
import { chargesOf } from '../fixtures/rows.js'

const harness = await startPaymentsHarness()

/** A payment of 1 BRL, which are 0.1845 USDT, among so many. */
const among = (count: number) =>
  checkoutPayment(harness, {
    amountFrom: '1',
    splitPaymentConfig: Array.from({ length: count }, (_, index) => ({
      receiverWallet: `0x${String(index + 1).padStart(40, '0')}`,
      receiverPercent: 100 / count,
    })),
  })

describe('a charge whose receivers get very little', () => {
  it('is refused before the payer is charged, as each receiver costs the treasury a transaction', async () => {
    const payment = await among(50)
    await expect(startPix(harness, payment)).rejects.toMatchObject({
      code: 'validation_error',
      errors: [{ field: 'paymentId', message: 'pays a receiver 0.00369 USDT, the least is 0.01' }],
    })
    expect(await chargesOf(harness, payment)).toEqual([])
    expect(await startPix(harness, await among(10))).toMatchObject({ status: 'pending' })
  })
})
