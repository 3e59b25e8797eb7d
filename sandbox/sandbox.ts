import type { Chain } from '../chains/chain.js'
import type { KycSandbox } from './kyc/start.js'
import type { MailSandbox } from './mail/start.js'
import type { RailSettings } from './rails.js'
import type { DemoTenant } from './state.js'

/** What a sandbox can start, each part for itself. `keys` are those that the product signs and encrypts with. */
export const SANDBOX_PARTS = ['database', 'keys', 'chains', 'prices', 'router', 'verifier', 'mail'] as const
export type SandboxPart = (typeof SANDBOX_PARTS)[number]

/** What stands where the outside world would be, as the product is told of it. */
export interface Simulated {
  databaseUrl: string
  masterKey: Buffer
  operatorKey: string
  /** Pays the receivers of payments in fiat. */
  treasuryEvmKey: string
  treasurySolanaSeed: Uint8Array
  chains: readonly Chain[]
  /** The lending markets of its Solana chain, as `YIELD_MARKETS_FILE` would hold them. */
  yieldMarkets: object
  priceUrl: string
  routerUrl: string
  /** How the product reaches the providers of the rails, by the rail's name. */
  rails: RailSettings
  /** How the product reaches the verification provider. */
  verifier: KycSandbox['verifier']
  /** How the product reaches the mail server. */
  mail: MailSandbox['mail']
  mailboxUrl: string
  /** Who pays on the payment page in the sandbox. */
  toyWallet: ToyWalletKey
}

/** A throw-away account on the sandbox's EVM chain, with coins and tokens. */
export interface ToyWalletKey {
  /** 0x-hex. */
  privateKey: string
  chainId: number
  rpcUrl: string
  /** Who is paid by what it pays in the demo. */
  receiver: string
}

/** What can be done with a sandbox, whatever of it runs. */
export interface SandboxControls {
  /** The demo tenant, kept across starts as long as its key is good; undefined where there is no folder to keep it in. */
  demo: { load: () => DemoTenant | undefined; save: (demo: DemoTenant) => void } | undefined
  /** Tells the providers where the product takes their callbacks, as their consoles would be told. */
  setProductUrl: (url: string) => void
  /** Writes `sandbox.json`, which tells a person and the demo where everything is. */
  writeDescription: (restUrl: string) => void
  /** The time in the sandbox. */
  now: () => Date
  /** Moves the clock of product and simulators forward. Gives the new time. */
  advanceClock: (seconds: number) => Promise<Date>
  stop: () => Promise<void>
}

/** A sandbox of which everything runs. */
export type Sandbox = Simulated & SandboxControls

/** A sandbox of which the parts run that were asked for; a part that was not is undefined. */
export type PartialSandbox = { [Part in Exclude<keyof Simulated, 'rails'>]: Simulated[Part] | undefined } & {
  rails: Partial<RailSettings>
} & SandboxControls
