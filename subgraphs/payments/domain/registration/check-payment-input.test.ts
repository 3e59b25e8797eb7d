import { describe, expect, it } from 'vitest'
import type { EvmChain } from '../../../../chains/chain.js'
import { checkPaymentTerms } from './check-payment-input.js'

const TOKEN = '0x5555555555555555555555555555555555555555'
const chain: EvmChain = {
  family: 'evm',
  name: 'polygon',
  chainId: 137,
  rpcUrl: 'http://127.0.0.1:1',
  confirmations: 1,
  nativeCoin: { symbol: 'POL', decimals: 18 },
  tokens: { USDT: { address: TOKEN, decimals: 6 } },
  split: null,
  routers: [],
}
const settings = { enabledFiats: ['BRL'], chains: [chain], publicClientIdPrefix: undefined }
const WALLET = '0x1111111111111111111111111111111111111111'
const split = (count: number, receiverWallet = WALLET) =>
  Array.from({ length: count }, () => ({ receiverWallet, receiverPercent: 100 / count }))

describe('the split of a payment', () => {
  it('names at most 50 receivers, so that one transaction can pay them', () => {
    expect(checkPaymentTerms(settings, { toChain: 'polygon', splitPaymentConfig: split(50) })).toEqual([])
    expect(checkPaymentTerms(settings, { toChain: 'polygon', splitPaymentConfig: split(1000) })).toEqual([
      { field: 'splitPaymentConfig', message: 'must name at most 50 receivers' },
    ])
  })

  it('names no token contract of its chain, which could not spend what it is sent', () => {
    expect(checkPaymentTerms(settings, { toChain: 'polygon', splitPaymentConfig: split(1, TOKEN) })).toEqual([
      { field: 'splitPaymentConfig.0.receiverWallet', message: "must be a receiver's address on polygon" },
    ])
  })
})
