import { describe, expect, it } from 'vitest'
import { parseChains } from './parse-chains.js'

const evm = {
  family: 'evm',
  name: 'polygon',
  chainId: 137,
  rpcUrl: 'https://rpc.example/v2/top-secret-key',
  confirmations: 20,
  nativeCoin: { symbol: 'POL', decimals: 18 },
  tokens: { USDT: { address: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed', decimals: 6 } },
  split: { kind: 'forwarder', deployer: '0x4e59b44847b379578588920cA78FbF26c0B4956C' },
  routers: ['0x4e59b44847b379578588920cA78FbF26c0B4956C'],
}
const solana = {
  family: 'solana',
  name: 'solana',
  rpcUrl: 'https://rpc.example',
  commitment: 'finalized',
  nativeCoin: { symbol: 'SOL', decimals: 9 },
  tokens: { USDC: { mint: 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v', decimals: 6 } },
}

function problemsOf(json: unknown): string[] {
  try {
    parseChains(json)
    return []
  } catch (error) {
    return error instanceof Error ? error.message.split('\n') : []
  }
}

describe('reading the list of chains', () => {
  it('takes what is right as it is', () => {
    expect(parseChains([evm, solana])).toEqual([evm, solana])
  })

  it('takes what the treasury pays out at least, as decimal texts', () => {
    const limits = { minPayout: '0.25', minPayoutToNewAccount: '2' }
    const chain = { ...solana, tokens: { USDC: { ...solana.tokens.USDC, ...limits } } }
    expect(parseChains([chain])).toEqual([chain])
    for (const minPayout of [0.25, '-1', '0.0000001', '1e2', '']) {
      const bad = { ...evm, tokens: { USDT: { ...evm.tokens.USDT, minPayout } } }
      expect(problemsOf([bad])).toEqual([expect.stringMatching(/^chains\.0\.tokens\.USDT\.minPayout: /)])
    }
  })

  it('takes a cap of what gas may cost, and the stack of a rollup', () => {
    const chain = { ...evm, gasPriceMaxGwei: '500.5', rollup: 'op-stack' }
    expect(parseChains([chain])).toEqual([chain])
    const bad = { ...evm, gasPriceMaxGwei: 500, rollup: 'other' }
    expect(problemsOf([bad]).map((problem) => problem.split(':')[0])).toEqual([
      'chains.0.gasPriceMaxGwei',
      'chains.0.rollup',
    ])
  })

  it('takes a cap of what a compute unit may cost on Solana', () => {
    const capped = { ...solana, computePriceMaxMicroLamports: 50_000 }
    expect(parseChains([capped])).toEqual([capped])
    expect(problemsOf([{ ...solana, computePriceMaxMicroLamports: 1 }])).toEqual([
      expect.stringMatching(/^chains\.0\.computePriceMaxMicroLamports: /),
    ])
  })

  it('takes a chain without split and routers', () => {
    const { split: _, routers: __, ...plain } = evm
    expect(parseChains([plain])).toEqual([{ ...evm, split: null, routers: [] }])
  })

  it('reports every problem at once, by its path', () => {
    const bad = {
      ...evm,
      chainId: '137',
      confirmations: 0,
      confirmation: 3,
      tokens: { usdt: { address: '0x12', decimals: 6.5 }, POL: evm.tokens.USDT },
      split: { kind: 'other', deployer: 1 },
      routers: ['0x'],
    }
    const fields = problemsOf([bad, { ...solana, rpcUrl: 'ftp://x', commitment: 'maybe', tokens: { USDC: {} } }, 7])
    expect(fields.map((problem) => problem.split(':')[0]).sort()).toEqual(
      [
        'chains.0.confirmation',
        'chains.0.chainId',
        'chains.0.confirmations',
        'chains.0.tokens.usdt',
        'chains.0.tokens.usdt.address',
        'chains.0.tokens.usdt.decimals',
        'chains.0.tokens.POL',
        'chains.0.split.kind',
        'chains.0.split.deployer',
        'chains.0.routers.0',
        'chains.1.rpcUrl',
        'chains.1.commitment',
        'chains.1.tokens.USDC.decimals',
        'chains.1.tokens.USDC.mint',
        'chains.2',
      ].sort(),
    )
  })

  it('takes one address of nodes, several, or both, and a budget of calls', () => {
    const { rpcUrl, ...without } = evm
    const rpcUrls = ['https://one.example', 'https://other.example']
    const several = { ...without, rpcUrls, rpcCallsPerSecond: 15 }
    expect(parseChains([several])).toEqual([{ ...several, rpcUrl: rpcUrls[0] }])
    expect(parseChains([{ ...several, rpcUrl }])).toEqual([{ ...several, rpcUrl }])
    expect(problemsOf([without])).toEqual(['chains.0.rpcUrl: is missing'])
    const fields = problemsOf([
      { ...evm, rpcUrls: ['ftp://x'], rpcCallsPerSecond: 0 },
      { ...solana, rpcUrls: [] },
    ])
    expect(fields.map((problem) => problem.split(':')[0])).toEqual([
      'chains.0.rpcUrls.0',
      'chains.0.rpcCallsPerSecond',
      'chains.1.rpcUrls',
    ])
  })

  it('refuses two chains of one name, and a list that is none', () => {
    expect(problemsOf([evm, { ...solana, name: 'polygon' }])).toEqual(['chains.1.name: is used twice'])
    expect(problemsOf({ evm })).toEqual(['chains: must be an array'])
  })

  it('never repeats a URL, which may hold a key', () => {
    expect(problemsOf([{ ...evm, rpcUrl: 'top-secret-key' }]).join()).not.toContain('top-secret')
  })
})
