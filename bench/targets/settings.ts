import type { Chain } from '../../chains/chain.js'

/** What a target is started with; all targets work on the same database and give the same answers. */
export interface TargetSettings {
  port: number
  databaseUrl: string
  /** Signs the links of the payment page, hex. */
  linkKey: string
  /** Base of the links handed out. */
  publicUrl: string
  limitPerMinute: number
  chains: readonly Chain[]
  /** Where the stock gateway's subgraphs listen. */
  subgraphsPort: number
  yield: {
    /** The chain of the lending markets, which all targets ask. */
    rpcUrl: string
    /** The token of the market that is asked about, base58. */
    mint: string
    /** What a cache of the strategies holds. */
    strategies: object
  }
  /** The same for the product: its files of chains and of lending markets; undefined where it takes its sandbox's own. */
  files: { chains: string; yieldMarkets: string } | undefined
}
