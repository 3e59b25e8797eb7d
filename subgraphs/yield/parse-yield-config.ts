import { PublicKey } from '@solana/web3.js'
import { z } from 'zod'
import { problemsOf } from '../../kernel/check-json.js'
import type { ListedMarket } from './providers/provider.js'
import { PROVIDERS } from './providers/registry.js'

/** The deployment's yield markets, as `YIELD_MARKETS_FILE` holds them. */
export interface YieldConfig {
  /** The Solana chain that they are on; the first of the deployment where left out. */
  chainName: string | undefined
  /** An address look-up table of the deployment's own, for transactions that would not fit otherwise. */
  lookupTable: PublicKey | null
  markets: readonly ListedMarket[]
}

const WRAPPED_SOL = 'So11111111111111111111111111111111111111112'

/** A deployment without yield markets. */
export const NO_YIELD: YieldConfig = { chainName: undefined, lookupTable: null, markets: [] }

const NAMES = PROVIDERS.map(({ name }) => name)

const address = z.unknown().transform((value, issues): PublicKey => {
  try {
    return new PublicKey(typeof value === 'string' ? value : '-')
  } catch {
    issues.addIssue('must be an address')
    return z.NEVER
  }
})

const wrongDecimals = 'must be a whole number from 0 to 18'

const market = z
  .looseObject(
    {
      provider: z.enum(NAMES, `must be one of ${NAMES.join(', ')}`),
      symbol: z.string('must be a symbol in capitals').regex(/^[A-Z0-9]{1,20}$/, 'must be a symbol in capitals'),
      mint: address,
      decimals: z.int(wrongDecimals).min(0, wrongDecimals).max(18, wrongDecimals),
      enabled: z.boolean('must be true or false').default(true),
    },
    'must be an object',
  )
  .transform(({ provider: name, symbol, mint, decimals, enabled, ...settings }, issues): ListedMarket => {
    const asset = { symbol, mint, decimals, isNative: mint.toBase58() === WRAPPED_SOL }
    try {
      const provider = PROVIDERS.find((candidate) => candidate.name === name)
      if (!provider) throw new Error(`there is no provider ${name}`)
      return provider.listMarket(asset, settings, enabled)
    } catch (error) {
      issues.addIssue((error as Error).message)
      return z.NEVER
    }
  })

const config = z.object(
  {
    chain: z.string().optional().catch(undefined),
    markets: z.array(market, 'must be a list'),
    lookupTable: address.nullish(),
  },
  'must be an object',
)

/**
 * Reads the list of markets: `{chain?, lookupTable?, markets: [{provider, symbol, mint, decimals, enabled?, …}]}`; what else
 * an entry has is its provider's own.
 * @throws Error that lists every problem with its path, e.g. `markets.0.mint`
 */
export function parseYieldConfig(json: unknown): YieldConfig {
  const { data, error } = config.safeParse(json)
  const problems = [...problemsOf(error, 'yield markets'), ...duplicates(json)]
  if (!data || problems.length > 0) throw new Error(problems.join('\n'))
  return { chainName: data.chain, lookupTable: data.lookupTable ?? null, markets: data.markets }
}

/** As much of the list as entries are compared by, whatever else is wrong with it. */
const named = z
  .object({ markets: z.array(z.object({ provider: z.string(), symbol: z.string() }).nullable().catch(null)) })
  .catch({ markets: [] })

/** Callers name a strategy by its provider and token alone, so there can be only one of each. */
function duplicates(json: unknown): string[] {
  const names = named.parse(json).markets.flatMap((entry) => (entry ? [`${entry.provider} ${entry.symbol}`] : []))
  const twice = names.filter((name, index) => names.indexOf(name) !== index)
  return twice.map((name) => `markets: ${name} is there twice`)
}
