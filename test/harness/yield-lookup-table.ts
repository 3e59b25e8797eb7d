import { AddressLookupTableProgram, PublicKey } from '@solana/web3.js'
import type { YieldConfig } from '../../subgraphs/yield/parse-yield-config.js'
import type { ProviderName } from '../../subgraphs/yield/providers/provider.js'
import type { YieldHarness } from './yield.js'

/** A deployment's table with every account of the wide market, as the chain has it. */
export async function withLookupTable({ config, control, marketOf }: YieldHarness): Promise<YieldConfig> {
  const key = new PublicKey(Buffer.alloc(32, 99))
  const addresses = ['alpha_lend', 'beta'].flatMap((name) => {
    const { accounts, addresses: own } = marketOf(name as ProviderName, 'PYUSD')
    return [...accounts, own.marketOrVault, own.reserve, own.shareMint]
  })
  // Layout: type 1, no end, last extended at slot 0, no authority; 56 bytes of it, then the keys.
  const data = Buffer.alloc(56 + 32 * addresses.length)
  data.writeUInt32LE(1, 0)
  data.writeBigUInt64LE(2n ** 64n - 1n, 4)
  addresses.forEach((address, index) => address.toBuffer().copy(data, 56 + 32 * index))
  const owner = AddressLookupTableProgram.programId.toBase58()
  await control.setAccounts([{ address: key.toBase58(), lamports: 10_000_000n, owner, executable: false, data }])
  return { ...config, lookupTable: key }
}
