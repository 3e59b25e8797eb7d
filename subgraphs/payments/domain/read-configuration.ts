import { RECEIVERS_MAX, type Chain } from '../../../chains/chain.js'
import { minPayout } from '../../../chains/min-payout.js'
import type { Product } from '../../../kernel/tenant.js'
import { fiatDecimals } from '../../../terms/amount.js'
import type { TermsSettings } from '../../../terms/check-terms.js'
import { PAYABLE_METHODS, PRODUCT_OF, type PaymentMethod } from '../../../terms/methods.js'
import type { TransactionType } from '../model/transaction-type.js'
import type { Rails } from '../rails/find-rail.js'
import { METADATA_MAX_BYTES } from './registration/check-payment-input.js'

/** What reading the configuration needs. */
export type ReadConfigurationDeps = Rails & { settings: TermsSettings; quoteLifeMs: number }

/** A token, or a chain's own coin. */
export interface ConfiguredToken {
  symbol: string
  decimals: number
  /** Its contract or mint; null for the chain's own coin. */
  address: string | null
  /** What one receiver gets at least, in whole tokens: decimal strings. What a split's gas costs may be more, see `checkSplitCost`. */
  minPayout: string
  minPayoutToNewAccount: string
}

export interface ConfiguredChain {
  name: string
  family: Chain['family']
  /** As EIP-155 counts; null on Solana. */
  chainId: number | null
  explorerUrl: string | null
  nativeCoin: ConfiguredToken
  tokens: ConfiguredToken[]
}

export interface ConfiguredMethod {
  method: PaymentMethod
  product: Product
  isEnabled: boolean
  transactionTypes: TransactionType[]
}

/** What a form that registers or pays has to know of the deployment, as the caller may use it. */
export interface Configuration {
  fiatCurrencies: { code: string; decimals: number }[]
  chains: ConfiguredChain[]
  methods: ConfiguredMethod[]
  limits: { receiversMax: number; metadataMaxBytes: number; quoteLifeSeconds: number }
}

/** Reads it from what registration and payment themselves are checked by. */
export function readConfiguration(
  { settings, rails, quoteLifeMs }: ReadConfigurationDeps,
  { products }: { products: readonly Product[] },
): Configuration {
  const typesOf = (method: PaymentMethod): TransactionType[] =>
    rails
      .flatMap(({ types }) => Object.entries(types))
      .flatMap(([name, type]) => (type.method === method ? [name as TransactionType] : []))
  return {
    fiatCurrencies: settings.enabledFiats.map((code) => ({ code, decimals: fiatDecimals(code) })),
    chains: settings.chains.map(configuredChain),
    methods: PAYABLE_METHODS.map((method) => {
      const [product, transactionTypes] = [PRODUCT_OF[method], typesOf(method)]
      return { method, product, isEnabled: products.includes(product) && transactionTypes.length > 0, transactionTypes }
    }),
    limits: {
      receiversMax: RECEIVERS_MAX,
      metadataMaxBytes: METADATA_MAX_BYTES,
      quoteLifeSeconds: Math.floor(quoteLifeMs / 1000),
    },
  }
}

function configuredChain(chain: Chain): ConfiguredChain {
  const { name, family, nativeCoin } = chain
  const tokens =
    chain.family === 'evm'
      ? Object.entries(chain.tokens).map(([symbol, { address, decimals }]) => ({ symbol, decimals, address }))
      : Object.entries(chain.tokens).map(([symbol, { mint, decimals }]) => ({ symbol, decimals, address: mint }))
  const withLimits = (token: Pick<ConfiguredToken, 'symbol' | 'decimals' | 'address'>): ConfiguredToken => {
    const { amount, toNewAccount } = minPayout(chain, token.symbol)
    return { ...token, minPayout: amount, minPayoutToNewAccount: toNewAccount }
  }
  return {
    ...{ name, family, chainId: chain.family === 'evm' ? chain.chainId : null, explorerUrl: chain.explorerUrl ?? null },
    nativeCoin: withLimits({ symbol: nativeCoin.symbol, decimals: nativeCoin.decimals, address: null }),
    tokens: tokens.map((token) => withLimits(token)),
  }
}
