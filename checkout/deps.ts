import type { Chain } from '../chains/chain.js'
import type { Builds } from '../gateway/built-files/shared-builds.js'
import type { SupergraphExecutor } from '../gateway/supergraph.js'
import type { Clock } from '../kernel/clock.js'
import type { Logger } from '../kernel/log.js'
import type { SubgraphExecutor } from '../kernel/subgraph.js'
import type { Product } from '../kernel/tenant.js'
import type { Merchant } from './merchant.js'
import type { PageView } from './page/view.js'
import type { PaymentChanges } from '../gateway/live/payment-changes.js'
import type { ReadPayment } from './read-payment.js'
import type { SessionLink } from './session-link.js'

/** What the payment page runs on. */
export interface CheckoutDeps {
  supergraph: SupergraphExecutor
  /** Who knows the tenants. */
  accounts: SubgraphExecutor
  /** Who knows what of a form is wrong. */
  payments: SubgraphExecutor
  /** The deployment's products. */
  products: readonly Product[]
  chains: readonly Chain[]
  changes: PaymentChanges
  /** Where files of other builds are. */
  builds: Builds
  /** Where browsers and wallets reach us. */
  publicUrl: string
  isSandbox: boolean
  /** Scripts besides the page's own: the sandbox's toy wallet. */
  extraScripts: () => readonly string[]
  /** Signs the links. */
  linkKey: Buffer
  /** Of the fingerprints of requests with an idempotency key. */
  fingerprintKey: Buffer
  clock: Clock
  log: Logger
}

/** A page that may be shown: whose it is, and what it shows. */
export interface OpenPage {
  link: SessionLink
  payment: ReadPayment
  view: PageView
  merchant: Merchant
}
