/** What load and oracle know of the harness: addresses and secrets, all of them past the faults but for the gateways'. */
export interface HarnessView {
  /** The gateways as clients reach them. A client that gets no answer from one tries the next, with the same idempotency key. */
  gateways: readonly string[]
  tenants: readonly TenantView[]
  /** Straight to PostgreSQL. */
  databaseUrl: string
  /** Straight to the chains' nodes. */
  chains: {
    evm: { rpcUrl: string; chainId: number; confirmations: number; tokens: TokenViews }
    solana: { rpcUrl: string; tokens: TokenViews }
  }
  /** Straight to the simulators; their control routes are below `/sandbox/`. */
  simulators: { pixUrl: string; cardUrl: string; kycUrl: string; mailboxUrl: string }
  /** A payer with plenty of gas and tokens on each chain; load makes payers of its own from them. */
  funds: { evmPrivateKey: `0x${string}`; solanaSecretKey: readonly number[] }
  /** The product's own accounts, whose transfers the oracle reads, and how many transactions each had sent before the product was. */
  treasury: { evm: readonly { address: string; sentBefore: number }[]; solana: string }
}

/** A token's place on a chain: an address, or a mint. */
export type TokenViews = Readonly<Record<string, { address: string; decimals: number }>>

/** A tenant whom the load plays. */
export interface TenantView {
  id: string
  apiKey: string
  publicClientId: string
  /** Where this tenant's webhooks are received, by the harness. */
  webhookUrl: string
  webhookSecret: string
}

/** Something that a client did and was told; load writes it down, the oracle holds the harness to it. */
export interface JournalEntry {
  at: Date
  tenantId: string
  /** The rail or product: `evm`, `evm-split`, `solana`, `pix`, `card`, `card-crypto`, `subscription`, `order`, `yield`. */
  rail: string
  /** The operation, kebab-case as in `rest-compat/operations`. */
  operation: string
  idempotencyKey: string | undefined
  /** The id of the resource, once the answer named it. */
  id: string | undefined
  /** The answer's HTTP status; 0 where no answer ever came. */
  status: number
  /** The request's body, and the answer's, without secrets. */
  request: unknown
  answer: unknown
  /** Whom the client means to pay by the payment that it registers, in their order. */
  receivers?: readonly ReceiverView[] | undefined
}

/** A receiver's address, and the share in percent as it was sent. */
export interface ReceiverView {
  wallet: string
  percent: number
}

/** A webhook as it came to the harness, whatever was answered. */
export interface ReceivedWebhook {
  /** Whose address it came to. */
  tenantId: string
  at: Date
  /** With names in lower case. */
  headers: Readonly<Record<string, string>>
  /** As it was sent: the signature is over these bytes. */
  body: string
}

/** Something that is not as it was promised. */
export interface Finding {
  /** Which promise: `acknowledged`, `once`, `balances`, `ledger`, `hangs`, `pools`, `stops`, `webhooks`. */
  promise: string
  text: string
}
