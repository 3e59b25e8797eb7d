import { describe, expect, it } from 'vitest'
import { startHarness } from '../harness/harness.js'
import { registerInput } from '../harness/rest-payments.js'
import { RECEIVERS } from '../harness/chains.js'
import type { TestTenant } from '../harness/tenants.js'

const harness = await startHarness()

interface Token {
  symbol: string
  decimals: number
  address: string | null
  minPayout: string
}
interface Configuration {
  fiatCurrencies: { code: string; decimals: number }[]
  chains: { name: string; family: string; chainId: number | null; nativeCoin: Token; tokens: Token[] }[]
  methods: { method: string; product: string; isEnabled: boolean; transactionTypes: string[] }[]
  limits: { receiversMax: number; metadataMaxBytes: number; quoteLifeSeconds: number }
}

const READ = `{ configuration {
  fiatCurrencies { code decimals }
  chains { name family chainId nativeCoin { ...Token } tokens { ...Token } }
  methods { method product isEnabled transactionTypes }
  limits { receiversMax metadataMaxBytes quoteLifeSeconds } } }
  fragment Token on PaymentToken { symbol decimals address minPayout }`

async function read(as: TestTenant | string = harness.tenant): Promise<Configuration> {
  const { body } = await harness.graphql(READ, {}, { as })
  return (body.data as unknown as { configuration: Configuration }).configuration
}

const REGISTER =
  'mutation ($input: RegisterPaymentInput!) { registerPayment(input: $input) { payment { id } errors { code path } } }'

/** The codes with which a registration is refused, and the fields that are to blame; none where it is taken. */
async function refusals(changes: Record<string, unknown>, as = harness.tenant): Promise<string[]> {
  const { body } = await harness.graphql(REGISTER, { input: registerInput(as, changes) }, { as })
  const { registerPayment } = body.data as unknown as {
    registerPayment: { payment: object | null; errors: { code: string; path: string[] | null }[] }
  }
  expect(registerPayment.payment === null).toBe(registerPayment.errors.length > 0)
  return registerPayment.errors.map(({ code, path }) => `${code} ${path?.join('.') ?? ''}`.trim())
}

const receiverOn = (family: string) =>
  family === 'EVM' ? RECEIVERS[0] : '4Nd1mBQtrMJVYVfKf2PJy9NZUZdTAsp7D4xWLs4gDB4T'

describe('the configuration', () => {
  it('names the chains, coins and tokens that a registration takes, and no other', async () => {
    const { chains } = await read()
    expect(chains.map(({ family }) => family)).toEqual(expect.arrayContaining(['EVM', 'SOLANA']))
    for (const { name, family, nativeCoin, tokens } of chains) {
      expect(nativeCoin.address).toBeNull()
      for (const { symbol, minPayout } of [nativeCoin, ...tokens]) {
        expect(Number(minPayout)).toBeGreaterThan(0)
        const terms = { toChain: name, toCurrencySymbol: symbol }
        const split = [{ receiverWallet: receiverOn(family), receiverPercent: '100' }]
        expect(await refusals({ ...terms, splitPaymentConfig: split })).toEqual([])
      }
      expect(await refusals({ toChain: name, toCurrencySymbol: 'NOTONE' })).toContain(
        'VALIDATION_ERROR toCurrencySymbol',
      )
    }
    expect(await refusals({ toChain: 'nochain' })).toContain('VALIDATION_ERROR toChain')
  })

  it('names the fiat currencies that a registration takes, with their decimals', async () => {
    const { fiatCurrencies } = await read()
    expect(fiatCurrencies.length).toBeGreaterThan(0)
    for (const { code, decimals } of fiatCurrencies) {
      const amount = (places: number): string => (places === 0 ? '101' : `101.${'1'.repeat(places)}`)
      expect(await refusals({ fromCurrencySymbol: code, amountFrom: amount(decimals) })).toEqual([])
      expect(await refusals({ fromCurrencySymbol: code, amountFrom: amount(decimals + 1) })).toEqual([
        'VALIDATION_ERROR amountFrom',
      ])
    }
    expect(await refusals({ fromCurrencySymbol: 'XTS' })).toContain('VALIDATION_ERROR fromCurrencySymbol')
  })

  it('says which methods the key can use', async () => {
    const narrow = await harness.dashboard.newTenant({ products: ['crypto'] })
    const { methods } = await read(narrow)
    expect(methods.find(({ method }) => method === 'CRYPTO')).toEqual({
      method: 'CRYPTO',
      product: 'CRYPTO',
      isEnabled: true,
      transactionTypes: ['CRYPTO'],
    })
    const split = [{ receiverWallet: RECEIVERS[0], receiverPercent: '100', recipientId: 'rp_shop0001' }]
    for (const { method, isEnabled } of methods) {
      const allowed = { paymentMethodAllowed: { [method.toLowerCase()]: true }, splitPaymentConfig: split }
      expect(await refusals(allowed, narrow)).toEqual(isEnabled ? [] : ['PRODUCT_DISABLED'])
    }
    expect((await read()).methods.every(({ isEnabled }) => isEnabled)).toBe(true)
  })

  it('names the bounds that a registration is held to', async () => {
    const { limits } = await read()
    const receivers = (count: number) =>
      Array.from({ length: count }, () => ({ receiverWallet: RECEIVERS[0], receiverPercent: '0' }))
    expect(await refusals({ splitPaymentConfig: receivers(limits.receiversMax + 1) })).toEqual([
      'VALIDATION_ERROR splitPaymentConfig',
    ])
    const note = (bytes: number) => ({ metadata: { note: 'x'.repeat(bytes - '{"note":""}'.length) } })
    expect(await refusals(note(limits.metadataMaxBytes))).toEqual([])
    expect(await refusals(note(limits.metadataMaxBytes + 1))).toEqual(['VALIDATION_ERROR metadata'])
    expect(limits.quoteLifeSeconds).toBeGreaterThan(0)
  })

  it('is there for a platform key, which belongs to no tenant', async () => {
    expect((await read(await harness.dashboard.platformKey())).chains.length).toBeGreaterThan(0)
  })
})
