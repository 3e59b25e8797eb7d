import { describe, expect, it } from 'vitest'
import { settledOf } from './settled.js'

const QUOTED = { amountTo: '18.45', toCurrencySymbol: 'USDT' }
const UNSIGNED = { schemaVersion: 1, family: 'solana' } as never
/** What a provider's charge shows once its payer has paid. */
const CONFIRMED = { confirmed_at: '2026-11-28T12:00:00.000Z' }

const BY_ADDRESS = { ...QUOTED, transactionType: 'crypto', tidHash: '0x1', chainName: 'polygon' } as const
const BY_WALLET = { ...BY_ADDRESS, unsignedTransaction: UNSIGNED } as const
const BY_PIX = { ...QUOTED, transactionType: 'pixcrypto', tidHash: null } as const

describe('what the receivers of a payment share', () => {
  it.each([
    ['less came to its address, and was accepted', { ...BY_ADDRESS, status: 'success', receivedAmount: '10' }, '10'],
    ['more came to its address', { ...BY_ADDRESS, status: 'success', receivedAmount: '20' }, '20'],
    [
      'it came to its address, and is being shared out',
      { ...BY_ADDRESS, status: 'pending', receivedAmount: '19' },
      '19',
    ],
    ['a wallet has paid', { ...BY_WALLET, status: 'success', receivedAmount: null }, '18.45'],
    [
      'a wallet has paid, and something came to its address besides',
      { ...BY_WALLET, status: 'success', receivedAmount: '5' },
      '18.45',
    ],
    [
      'a Pix has paid, and they wait for their payouts',
      { ...BY_PIX, status: 'pending', globalPaymentData: CONFIRMED },
      '18.45',
    ],
    ['a Pix has paid', { ...BY_PIX, status: 'success', globalPaymentData: CONFIRMED }, '18.45'],
  ] as const)('is an amount of their token where %s', (_where, payment, amount) => {
    expect(settledOf(payment)).toEqual({ amount, currency: 'USDT' })
  })

  it.each([
    ['nothing was begun', { ...QUOTED, amountTo: null, status: 'registered' }],
    ['a part came to its address', { ...BY_ADDRESS, tidHash: null, status: 'pending', receivedAmount: '10' }],
    [
      'too little came, and nobody has decided',
      { ...BY_ADDRESS, tidHash: null, status: 'error', receivedAmount: '10' },
    ],
    ['a Pix is waited for', { ...BY_PIX, status: 'pending', globalPaymentData: { confirmed_at: null } }],
    ['all of it went back', { ...BY_PIX, status: 'error', globalPaymentData: CONFIRMED }],
  ] as const)('is nothing where %s', (_where, payment) => {
    expect(settledOf(payment)).toBeNull()
  })

  it.each([
    ['1.20', '78.8'],
    [null, '80'],
  ])('is what the provider shares out of the charge, less the fee %s', (platformFee, amount) => {
    const payment = { ...QUOTED, amountTo: null, status: 'success', transactionType: 'cardfiat' } as const
    expect(settledOf(payment, { amount: '80', currency: 'BRL', platformFee })).toEqual({ amount, currency: 'BRL' })
  })
})
