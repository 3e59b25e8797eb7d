import { pad, type Address, type Hex } from 'viem'
import type { AnvilClient } from '../../sandbox/anvil/test-client.js'

/** Where the sandbox's chain has its sanctions oracle once it was placed. */
export const SANCTIONS_ORACLE: Address = '0x00000000000000000000000000000000005eed0f'

/**
 * A contract with the one function of Chainalysis' sanctions oracle that we call, `isSanctioned(address) view returns (bool)`
 * (selector 0xdf592f7d): it answers the word that is stored under the address, and reverts on every other call.
 */
const CODE: Hex = '0x60003560e01c63df592f7d1460145760006000fd5b6004355460005260206000f3'

/** Places the oracle, or with `isThere` false takes it away, as on a chain that has none. */
export async function placeSanctionsOracle(client: AnvilClient, isThere = true): Promise<void> {
  await client.setCode({ address: SANCTIONS_ORACLE, bytecode: isThere ? CODE : '0x' })
}

/** Says whether a wallet is sanctioned from now on. */
export async function setSanctioned(client: AnvilClient, wallet: Address, isSanctioned: boolean): Promise<void> {
  const value = pad(isSanctioned ? '0x01' : '0x00', { size: 32 })
  await client.setStorageAt({ address: SANCTIONS_ORACLE, index: pad(wallet, { size: 32 }), value })
}
