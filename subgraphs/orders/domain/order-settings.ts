import type { Chain } from '../../../chains/chain.js'

/** What orders need to know of the deployment. */
export interface OrderSettings {
  enabledFiats: readonly string[]
  chains: readonly Chain[]
  /** The fixed prefix of `public_client_id`, where the deployment sets one. */
  publicClientIdPrefix: string | undefined
}
