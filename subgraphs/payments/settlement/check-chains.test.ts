import { describe, expect, it } from 'vitest'
import { checkSolanaChain } from '../../../chains/solana/check-chain.js'
import { startSettlementHarness } from '../../../test/harness/settlement.js'
import { startSolanaHarness } from '../../../test/harness/solana.js'
import { checkChains } from './check-chains.js'

const harness = await startSettlementHarness()

describe('the settings of a chain', () => {
  it('are compared with the chain, and an operator is told what is different there', async () => {
    await checkChains(harness.deps)
    expect(await harness.deps.alerts.list()).toEqual([])
    const { tokens } = harness.chain
    const [usdt, usdc] = [tokens['USDT'], tokens['USDC']]
    if (!usdt || !usdc) throw new Error('no tokens')
    const wrong = { USDT: { ...usdt, decimals: 18 }, USDC: { ...usdc, address: harness.newReceiver() } }
    const chains = [{ ...harness.chain, chainId: 137, tokens: wrong }]
    await checkChains({ ...harness.deps, settings: { ...harness.deps.settings, chains } })
    expect(await harness.deps.alerts.list()).toMatchObject([
      {
        kind: 'chain_mismatch',
        subject: 'polygon',
        details: 'chainId is 31337 there; USDT has 6 decimals there; USDC has no code at its address',
      },
    ])
  })

  it('of Solana are, too', async () => {
    const { chain, client, payer } = await startSolanaHarness()
    const genesisHash = String(await client.call('getGenesisHash', []))
    expect(await checkSolanaChain(client, { ...chain, genesisHash })).toEqual([])
    const { USDC } = chain.tokens
    if (!USDC) throw new Error('no token')
    const nobody = payer.publicKey.toBase58()
    const tokens = { USDC: { ...USDC, decimals: 9 }, USDT: { ...USDC, mint: nobody } }
    expect(await checkSolanaChain(client, { tokens, genesisHash: nobody })).toEqual([
      `genesisHash is ${genesisHash} there`,
      'USDC has 6 decimals there',
      'USDT has no mint at its address',
    ])
  })
})
