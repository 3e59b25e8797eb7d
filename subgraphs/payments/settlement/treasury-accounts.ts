import type { Chain } from '../../../chains/chain.js'
import type { Stores } from '../store/stores.js'
import type { PayoutChain } from './payout-chain.js'

/** The treasury's accounts, by the family of chains that they pay out on. */
export interface PayoutChains {
  /** Those that the deployment signs for, as the settings have them: the first stands for the treasury where one is meant. */
  payoutChains: Partial<Record<Chain['family'], readonly PayoutChain[]>>
  /** An account that it does not sign for any more: what that has sent is followed to its end. */
  watchedAccount: (family: Chain['family'], account: string) => PayoutChain
}

/** The accounts that pay out on a chain, the first of the settings first. */
export function signingOn({ payoutChains }: Pick<PayoutChains, 'payoutChains'>, chain: Chain): readonly PayoutChain[] {
  return payoutChains[chain.family] ?? []
}

/** The accounts of which something on a chain has to be brought on: those that pay out there, and those that did. */
export async function accountsOn(
  deps: PayoutChains & Pick<Stores, 'landed'>,
  chain: Chain,
): Promise<readonly PayoutChain[]> {
  const signing = signingOn(deps, chain)
  const atWork = await deps.landed.accountsAtWork(chain.name)
  return [...signing, ...watched(deps, chain, atWork)]
}

/** Those of these accounts that the deployment does not sign for. */
export function watched(deps: PayoutChains, chain: Chain, accounts: readonly string[]): readonly PayoutChain[] {
  const signing = new Set(signingOn(deps, chain).map(({ account }) => account))
  return accounts.filter((one) => !signing.has(one)).map((one) => deps.watchedAccount(chain.family, one))
}
