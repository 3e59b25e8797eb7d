import { describe, expect, it } from 'vitest'
import { startYieldHarness, TENANT } from '../../../test/harness/yield.js'
import { depositYield } from '../domain/deposit-yield.js'
import { inUsdc } from '../fixtures/broadcasts.js'

const harness = await startYieldHarness()

describe.each(['alpha_lend', 'beta'] as const)(
  'a market of %s that is configured with other decimals than its token has',
  (name) => {
    it('moves nothing: an amount would be another one', async () => {
      const wallet = await harness.newWallet()
      const markets = harness.config.markets
        .filter(({ provider, asset }) => provider.name === name && asset.symbol === 'USDC')
        .map(({ provider, asset, contract, isEnabled }) => {
          const { addresses } = harness.marketOf(name, 'USDC')
          const settings = { reserve: contract.toBase58(), market: addresses.marketOrVault.toBase58() }
          return provider.listMarket({ ...asset, decimals: 8 }, settings, isEnabled)
        })
      const deps = await harness.anotherProcess({ config: { ...harness.config, markets } })
      const deposit = depositYield(deps, TENANT, { ...inUsdc(wallet, '1'), provider: name })
      await expect(deposit).rejects.toMatchObject({ kind: 'protocol', message: expect.stringContaining('decimals') })
    })
  },
)
