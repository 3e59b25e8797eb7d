import { describe, expect, it } from 'vitest'
import { paymentCsv, PAYMENTS_HEADING } from './page/pages/payment-csv.js'

type Payment = Parameters<typeof paymentCsv>[0]

const PAYMENT: Payment = {
  id: 'cpayment',
  createdAt: '2026-11-28T12:00:00.000Z',
  status: 'SUCCESS',
  transactionType: 'CRYPTO',
  amountFrom: '100',
  fromCurrencySymbol: 'USD',
  amountTo: '18.45',
  toCurrencySymbol: 'USDT',
  refundedAmount: '0',
  payerEmail: null,
  payerWallet: '0xabc',
  dataError: null,
  receiversAmount: '6',
  settledAmount: '10',
  settledCurrency: 'USDT',
  refundedCurrency: null,
}

/** The cells of a line by the names of their columns. */
const cellsOf = (payment: Payment) => {
  const [names, cells] = [PAYMENTS_HEADING, paymentCsv(payment)].map((line) => line.trimEnd().split(','))
  expect(cells).toHaveLength(names?.length ?? 0)
  return Object.fromEntries(names?.map((name, index) => [name, cells?.[index]]) ?? [])
}

describe('the file of payments', () => {
  it('has what came beside what was quoted, each with what it is in, behind the columns that it had', () => {
    expect(cellsOf(PAYMENT)).toMatchObject({ amountTo: '18.45', settledAmount: '10', settledCurrency: 'USDT' })
    expect(cellsOf(PAYMENT)).toMatchObject({ receiversAmount: '6' })
    expect(PAYMENTS_HEADING).toMatch(/,error,settledAmount,settledCurrency,refundedCurrency,receiversAmount\r\n$/)
  })

  it('says nothing of what did not come, and what refunds are in', () => {
    const payment = {
      ...PAYMENT,
      receiversAmount: null,
      settledAmount: null,
      settledCurrency: null,
      refundedAmount: '50',
      refundedCurrency: 'BRL',
    }
    expect(cellsOf(payment)).toMatchObject({
      ...{ fromCurrencySymbol: 'USD', settledAmount: '', settledCurrency: '' },
      ...{ refundedAmount: '50', refundedCurrency: 'BRL' },
    })
  })
})
