import { describe, expect, it } from 'vitest'
import type { EvmChain, SolanaChain } from '../chains/chain.js'
import { publicClientIdProblem } from '../kernel/tenant.js'
import { amountProblem } from './amount.js'
import { methodsProblem, paysInFiatOnly } from './methods.js'
import { whatLacks, type PayableTerms } from './payable.js'
import { recipientFailures } from './split.js'

const WALLET = '0x1111111111111111111111111111111111111111'
const CUID = 'cly3f0q8x0000ab12cd34ef56'
const rpcUrl = 'http://127.0.0.1:1'
const polygon: EvmChain = {
  ...{ family: 'evm', name: 'polygon', chainId: 137, rpcUrl, confirmations: 1, split: null, routers: [] },
  nativeCoin: { symbol: 'POL', decimals: 18 },
  tokens: { USDT: { address: '0x3333333333333333333333333333333333333333', decimals: 6 } },
}
const solana: SolanaChain = {
  ...{ family: 'solana', name: 'solana', rpcUrl, commitment: 'confirmed', tokens: {} },
  nativeCoin: { symbol: 'SOL', decimals: 9 },
}

describe('an amount in a fiat currency', () => {
  it.each([
    ['10.99', 'BRL'],
    ['10.9900', 'BRL'],
    ['10', 'JPY'],
    ['10.999', 'KWD'],
    ['999999999999999.99', 'BRL'],
    ['000999999999999999', 'IDR'],
    ['0.0001', 'CLF'],
    ['10.999', undefined],
  ])('of %s %s is good', (amount, currency) => {
    expect(amountProblem(amount, currency)).toBeUndefined()
  })

  it.each([
    ['10.999', 'BRL', 'must have at most 2 decimals: it is in BRL'],
    ['0.001', 'USD', 'must have at most 2 decimals: it is in USD'],
    ['10.5', 'JPY', 'must have at most 0 decimals: it is in JPY'],
    ['10.9999', 'KWD', 'must have at most 3 decimals: it is in KWD'],
    ['0.00', 'BRL', 'must be greater than 0'],
    ['1000000000000000', 'BRL', 'must have at most 15 digits before the point'],
    [`1${'0'.repeat(29)}`, undefined, 'must have at most 15 digits before the point'],
  ])('of %s %s is not', (amount, currency, message) => {
    expect(amountProblem(amount, currency)).toBe(message)
  })
})

describe('a public_client_id', () => {
  const HEX = '0123456789abcdef'.repeat(2)
  const problem = 'must be a prefix followed by 32 hex characters'

  it.each([`pk_${HEX}`, `Acme9-${HEX}`, `x${HEX}`, `pk_${HEX.toUpperCase()}`, CUID])('may be %s', (id) => {
    expect(publicClientIdProblem(id, undefined)).toBeUndefined()
  })

  it.each([HEX, `_${HEX}`, `9x_${HEX}`, `pk__${HEX}`, `pk_${HEX}0`, `pk_${HEX.slice(1)}`, 'pk_', ''])(
    'may not be %j',
    (id) => {
      expect(publicClientIdProblem(id, undefined)).toBe(problem)
    },
  )

  it("has the deployment's prefix where it fixes one, or is a CUID", () => {
    const problemOf = (id: string) => publicClientIdProblem(id, 'acme_live_')
    expect([`acme_live_${HEX}`, CUID].map(problemOf)).toEqual([undefined, undefined])
    const others = [`pk_${HEX}`, `acme_${HEX}`, `Acme_live_${HEX}`, `acme_live_x${HEX}`, `acme_live_${HEX.slice(1)}`]
    expect(others.map(problemOf)).toEqual(others.map(() => problem))
  })
})

describe('methods', () => {
  it('that name nothing to be paid by are none alone, and may stand beside one', () => {
    const message = 'must allow at least one of crypto, pixcrypto, cardcrypto, cardfiat'
    expect(methodsProblem({ cryptopix: true, cryptofiat: true })).toBe(message)
    expect(methodsProblem({ cryptofiat: true, crypto: false })).toBe(message)
    expect(methodsProblem({ cryptopix: true, cardfiat: true })).toBeUndefined()
    expect(methodsProblem({})).toBeUndefined()
  })

  it('pay in fiat only where nothing else that is allowed can be paid', () => {
    expect(paysInFiatOnly({ cardfiat: true, cryptopix: true })).toBe(true)
    expect(paysInFiatOnly({ cardfiat: true, cardcrypto: true })).toBe(false)
    expect(paysInFiatOnly({})).toBe(false)
  })

  it('that pay in fiat only need a recipient of each receiver with a share', () => {
    const split = [
      { receiverWallet: 'a', receiverPercent: 100 },
      { receiverWallet: 'b', receiverPercent: 0 },
      { receiverWallet: 'c', receiverPercent: 1, recipientId: ' ' },
      { receiverWallet: 'd', receiverPercent: 1, recipientId: 'rp_d' },
    ]
    const fields = recipientFailures({ cardfiat: true }, split).map(({ field }) => field)
    expect(fields).toEqual(['splitPaymentConfig.0.recipientId', 'splitPaymentConfig.2.recipientId'])
    expect(recipientFailures({ cardfiat: true, crypto: true }, split)).toEqual([])
  })
})

describe('terms', () => {
  const terms = (changes: Partial<PayableTerms> = {}): PayableTerms => ({
    paymentMethodAllowed: { pixcrypto: true },
    splitPaymentConfig: [{ receiverWallet: WALLET, receiverPercent: 100 }],
    fromCurrencySymbol: 'BRL',
    amountFrom: '100',
    toCurrencySymbol: 'USDT',
    toChain: 'polygon',
    ...changes,
  })
  const lackOf = (changes: Partial<PayableTerms>) => whatLacks([polygon, solana], terms(changes))
  const toLabel = { splitPaymentConfig: [{ receiverWallet: 'shop', receiverPercent: 100 }] }

  it.each<[string, Partial<PayableTerms>]>([
    ['a chain and a receiver on it', {}],
    ['no chain, where the payer can name one', { toChain: null }],
    [
      'another method that can pay',
      {
        ...toLabel,
        paymentMethodAllowed: { crypto: true, cardfiat: true },
        splitPaymentConfig: [{ receiverWallet: 'shop', receiverPercent: 100, recipientId: 'rp' }],
      },
    ],
  ])('with %s lack nothing', (_what, changes) => {
    expect(lackOf(changes)).toBeUndefined()
  })

  it('to several receivers can be paid by the treasury, and by a payer where the chain shares out', () => {
    const half = { receiverWallet: WALLET, receiverPercent: 50 }
    const shared = { splitPaymentConfig: [half, half], paymentMethodAllowed: { crypto: true } }
    expect(lackOf(shared)).toBe('several receivers cannot be paid on polygon')
    expect(lackOf({ ...shared, paymentMethodAllowed: { crypto: true, pixcrypto: true } })).toBeUndefined()
    const sharing: EvmChain = {
      ...polygon,
      split: { kind: 'forwarder', deployer: '0x4e59b44847b379578588920cA78FbF26c0B4956C' },
    }
    expect(whatLacks([sharing], terms(shared))).toBeUndefined()
  })

  it.each<[string, Partial<PayableTerms>]>([
    ['it names no receiver', { splitPaymentConfig: [] }],
    ['it names no receiver', { splitPaymentConfig: [{ receiverWallet: WALLET, receiverPercent: 0 }] }],
    ['it allows no method that can be paid', { paymentMethodAllowed: { cryptopix: true } }],
    ['its chain base is not enabled', { toChain: 'base' }],
    ['USDT is not enabled on solana', { toChain: 'solana' }],
    ['USDC is not enabled on any chain', { toChain: null, toCurrencySymbol: 'USDC' }],
    ['not all of its receivers have an address on polygon', toLabel],
    ['it names no chain, and not all of its receivers have an address on polygon', { ...toLabel, toChain: null }],
    ['not all of its receivers have a recipient_id', { paymentMethodAllowed: { cardfiat: true } }],
    ['its amount must have at most 2 decimals: it is in BRL', { amountFrom: '1.001' }],
  ])('lack what nothing can pay without: %s', (lack, changes) => {
    expect(lackOf(changes)).toBe(lack)
  })
})
