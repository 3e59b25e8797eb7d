import { describe, expect, it } from 'vitest'
import { parseYieldConfig } from './parse-yield-config.js'

const MINT = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const RESERVE = 'D6q6wuQSrifJKZYpR1M8R4YawnLDtDsMmWM1NbBmgJ59'
const alpha = { provider: 'alpha_lend', symbol: 'USDC', mint: MINT, decimals: 6 }
const beta = { ...alpha, provider: 'beta', market: MINT, reserve: RESERVE }

describe('the list of yield markets', () => {
  it('is read with what each provider needs, switched on unless it says otherwise', () => {
    const { markets, lookupTable, chainName } = parseYieldConfig({ markets: [alpha, { ...beta, enabled: false }] })
    expect(markets.map(({ provider, isEnabled }) => [provider.name, isEnabled])).toEqual([
      ['alpha_lend', true],
      ['beta', false],
    ])
    expect(markets[1]?.identity.map((key) => key.toBase58())).toEqual([RESERVE])
    expect([lookupTable, chainName]).toEqual([null, undefined])
  })

  it('names every problem at once, with its path', () => {
    const bad = [
      { ...alpha, provider: 'gamma', symbol: 'usdc', mint: 'x', decimals: -1, enabled: 'yes' },
      { ...beta, reserve: 'x' },
      { ...beta, refreshedWith: ['x'] },
      alpha,
      alpha,
      'text',
    ]
    expect(() => parseYieldConfig({ lookupTable: 'x', markets: bad })).toThrow(
      new Error(
        [
          'markets.0.provider: must be one of alpha_lend, beta',
          'markets.0.symbol: must be a symbol in capitals',
          'markets.0.mint: must be an address',
          'markets.0.decimals: must be a whole number from 0 to 18',
          'markets.0.enabled: must be true or false',
          'markets.1: reserve must be an address',
          'markets.2: 0 must be an address',
          'markets.5: must be an object',
          'lookupTable: must be an address',
          'markets: beta USDC is there twice',
          'markets: alpha_lend USDC is there twice',
        ].join('\n'),
      ),
    )
    expect(() => parseYieldConfig([])).toThrow('yield markets: must be an object')
    expect(() => parseYieldConfig({ markets: [{ provider: 'beta' }] })).toThrow('markets.0.mint: must be an address')
    expect(() => parseYieldConfig({})).toThrow('markets: must be a list')
  })
})
