import type { Chain } from '../../../chains/chain.js'

/** A source that knows wallets which may neither pay nor be paid. */
export interface WalletScreen {
  /**
   * Which of these wallets are refused.
   * @throws AppError provider_unavailable or provider_timeout where that cannot be told: then nothing may move
   */
  findRefused: (chain: Chain, wallets: readonly string[]) => Promise<ReadonlySet<string>>
}

/** What asks every source that a deployment has; undefined where it has none. */
export interface WalletScreening {
  screen: WalletScreen | undefined
}

/** Asks several sources as one: a wallet is refused where one of them refuses it. */
export function screenOf(screens: readonly WalletScreen[]): WalletScreen | undefined {
  if (screens.length === 0) return undefined
  return {
    findRefused: async (chain, wallets) => {
      const refused = await Promise.all(screens.map((screen) => screen.findRefused(chain, wallets)))
      return new Set(refused.flatMap((some) => [...some]))
    },
  }
}

/** One spelling of a wallet: of an EVM address the case says nothing, of one of Solana it does. */
export function spelledWallet(wallet: string): string {
  return wallet.startsWith('0x') ? wallet.toLowerCase() : wallet
}
