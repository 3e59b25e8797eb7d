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
}
