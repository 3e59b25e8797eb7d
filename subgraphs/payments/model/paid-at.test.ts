import { describe, expect, it } from 'vitest'
import { paidAtOf } from './paid-at.js'

const at = (hour: number): Date => new Date(Date.UTC(2026, 10, 28, hour))
const history = (...causes: string[]) =>
  Promise.resolve(causes.map((cause, index) => ({ cause, createdAt: at(index) })))

describe('when a payment was paid', () => {
  it.each([
    [
      'by a charge',
      { status: 'success', transactionType: 'pixcrypto', globalPaymentData: { confirmed_at: at(9).toISOString() } },
      ['registered', 'receivers_paid'],
      9,
    ],
    [
      'at its address, with more afterwards',
      { status: 'success', transactionType: 'crypto' },
      ['registered', 'payer_paid', 'receivers_paid', 'overpaid'],
      1,
    ],
    [
      'at its address again, after its chain took it back',
      { status: 'success', transactionType: 'crypto' },
      ['payer_paid', 'deposit_undone', 'payer_paid', 'receivers_paid'],
      2,
    ],
    [
      'by a wallet, and twice',
      { status: 'success', transactionType: 'crypto' },
      ['registered', 'transaction_created', 'receivers_paid', 'paid_twice'],
      2,
    ],
    [
      'in part, which was accepted',
      { status: 'success', transactionType: 'crypto' },
      ['part_received', 'underpaid', 'underpayment_accepted', 'receivers_paid'],
      2,
    ],
  ] as const)('%s, is told by what paid it alone', async (_how, payment, causes, hour) => {
    expect(await paidAtOf(payment, () => history(...causes))).toEqual(at(hour))
  })

  it('is nothing while it is not', async () => {
    expect(await paidAtOf({ status: 'pending', transactionType: 'crypto' }, () => history('registered'))).toBeNull()
  })
})
