import { describe, expect, it } from 'vitest'
import { solanaChain } from '../sandbox/solana/seed.js'
import { IDLE_CHAIN } from '../test/harness/chains.js'
import { findToken, isReceiver, isValidAddress, unknownToken } from './chain.js'

const evm = {
  ...IDLE_CHAIN,
  tokens: { USDT: { address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed' as const, decimals: 6 } },
}
const solana = {
  ...solanaChain('http://127.0.0.1:1'),
  tokens: { USDC: { mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', decimals: 6 } },
}

describe('finding what a symbol stands for', () => {
  it('tells tokens from the native coin, on both families', () => {
    expect(findToken(evm, 'USDT')).toEqual({ kind: 'token', address: evm.tokens.USDT.address, decimals: 6 })
    expect(findToken(evm, 'POL')).toEqual({ kind: 'native', decimals: 18 })
    expect(findToken(solana, 'USDC')).toEqual({ kind: 'token', address: solana.tokens.USDC.mint, decimals: 6 })
    expect(findToken(solana, 'SOL')).toEqual({ kind: 'native', decimals: 9 })
  })

  it.each(['usdt', 'USDT ', 'DAI', '', 'constructor', '__proto__'])('knows nothing called %j', (symbol) => {
    expect(findToken(evm, symbol)).toBeUndefined()
  })

  it('names all symbols that stand for something, where one does not', () => {
    expect(unknownToken(evm)).toBe('must be a token enabled on polygon: POL, USDT')
    expect(unknownToken(solana)).toBe('must be a token enabled on solana: SOL, USDC')
  })
})

describe('a receiver', () => {
  it('is none of the tokens of the chain, in whatever case', () => {
    const token = evm.tokens.USDT.address
    expect(isReceiver(evm, token)).toBe(false)
    expect(isReceiver(evm, token.toLowerCase())).toBe(false)
    expect(isReceiver(evm, '0x1111111111111111111111111111111111111111')).toBe(true)
    expect(isReceiver(solana, solana.tokens.USDC.mint)).toBe(false)
    expect(isReceiver(solana, '11111111111111111111111111111112')).toBe(true)
  })

  it('is no contract of the settings that could not spend what it is sent', () => {
    const deployer = '0x4e59b44847b379578588920cA78FbF26c0B4956C'
    const router = '0x1111111254EEB25477B68fb85Ed929f73A960582'
    const chain = { ...evm, split: { kind: 'forwarder', deployer }, routers: [router] } as const
    expect([deployer, router, router.toLowerCase()].map((address) => isReceiver(chain, address))).toEqual([
      false,
      false,
      false,
    ])
    expect(isReceiver(solana, '11111111111111111111111111111111')).toBe(false)
  })
})

describe('a receiver of a deployment', () => {
  it('is none of its own accounts, in whatever case', () => {
    const own = evm.tokens.USDT.address
    const chain = { ...evm, tokens: {}, ownAccounts: [own] }
    expect([own, own.toLowerCase()].map((address) => isReceiver(chain, address))).toEqual([false, false])
    const account = '9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM'
    expect([[], [account]].map((ownAccounts) => isReceiver({ ...solana, ownAccounts }, account))).toEqual([true, false])
  })
})

describe('an EVM address', () => {
  // The first one is an example of EIP-55.
  it.each([
    '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed',
    '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed',
    '0x5AAEB6053F3E94C9B9A09F33669435E7EF1BEAED',
  ])('%s is valid', (address) => expect(isValidAddress(evm, address)).toBe(true))

  it.each([
    ['a wrong checksum', '0x5AAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
    ['a digit too few', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beae'],
    ['no prefix', '5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
    ['the zero address', '0x0000000000000000000000000000000000000000'],
    ['a Solana address', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'],
    ['a line break behind it', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed\n'],
  ])('is refused with %s', (_, address) => expect(isValidAddress(evm, address)).toBe(false))
})

describe('a Solana address', () => {
  it.each(['EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', '11111111111111111111111111111111'])(
    '%s is valid',
    (address) => expect(isValidAddress(solana, address)).toBe(true),
  )

  it.each([
    ['31 bytes', '1111111111111111111111111111111'],
    ['33 bytes', '111111111111111111111111111111111'],
    ['letters outside base58', 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt10'],
    ['far too many letters', '1'.repeat(100_000)],
    ['an EVM address', '0x5aaeb6053f3e94c9b9a09f33669435e7ef1beaed'],
  ])('is refused with %s', (_, address) => expect(isValidAddress(solana, address)).toBe(false))
})
