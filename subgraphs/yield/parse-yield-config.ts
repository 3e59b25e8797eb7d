import { PublicKey } from '@solana/web3.js'
import type { ListedMarket, YieldAsset } from './providers/provider.js'
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

/**
 * Reads the list of markets: `{chain?, lookupTable?, markets: [{provider, symbol, mint, decimals, enabled?, …}]}`; what else
 * an entry has is its provider's own.
 * @throws Error that lists every problem with its path, e.g. `markets.0.mint`
 */
export function parseYieldConfig(json: unknown): YieldConfig {
  const problems: string[] = []
  const config = isObject(json) ? json : {}
  if (!isObject(json)) problems.push('yield markets: must be an object')
  const listed = config['markets']
  if (!Array.isArray(listed)) problems.push('markets: must be a list')
  const markets = (Array.isArray(listed) ? (listed as unknown[]) : []).flatMap((entry, index) => {
    const read = readMarket(entry)
    if ('market' in read) return [read.market]
    problems.push(...read.problems.map((problem) => `markets.${index}${problem}`))
    return []
  })
  problems.push(...duplicates(markets))
  const lookupTable = config['lookupTable'] == null ? null : addressOf(config['lookupTable'])
  if (lookupTable === undefined) problems.push('lookupTable: must be an address')
  if (problems.length > 0) throw new Error(problems.join('\n'))
  const chainName = config['chain']
  return {
    chainName: typeof chainName === 'string' ? chainName : undefined,
    lookupTable: lookupTable ?? null,
    markets,
  }
}

function readMarket(entry: unknown): { market: ListedMarket } | { problems: string[] } {
  if (!isObject(entry)) return { problems: [': must be an object'] }
  const { provider: name, symbol, mint: mintText, decimals, enabled = true, ...settings } = entry
  const provider = PROVIDERS.find((candidate) => candidate.name === name)
  const mint = addressOf(mintText)
  const problems: string[] = []
  if (!provider) problems.push(`.provider: must be one of ${PROVIDERS.map((known) => known.name).join(', ')}`)
  if (typeof symbol !== 'string' || !/^[A-Z0-9]{1,20}$/.test(symbol))
    problems.push('.symbol: must be a symbol in capitals')
  if (!mint) problems.push('.mint: must be an address')
  if (!Number.isInteger(decimals) || Number(decimals) < 0 || Number(decimals) > 18) {
    problems.push('.decimals: must be a whole number from 0 to 18')
  }
  if (typeof enabled !== 'boolean') problems.push('.enabled: must be true or false')
  if (problems.length > 0 || !provider || !mint) return { problems }
  const asset: YieldAsset = {
    symbol: String(symbol),
    mint,
    decimals: Number(decimals),
    isNative: mint.toBase58() === WRAPPED_SOL,
  }
  try {
    return { market: provider.listMarket(asset, settings, enabled === true) }
  } catch (error) {
    return { problems: [`: ${(error as Error).message}`] }
  }
}

/** Callers name a strategy by its provider and token alone, so there can be only one of each. */
function duplicates(markets: readonly ListedMarket[]): string[] {
  const names = markets.map(({ provider, asset }) => `${provider.name} ${asset.symbol}`)
  const twice = names.filter((name, index) => names.indexOf(name) !== index)
  return twice.map((name) => `markets: ${name} is there twice`)
}

function addressOf(value: unknown): PublicKey | undefined {
  try {
    return new PublicKey(typeof value === 'string' ? value : '-')
  } catch {
    return undefined
  }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
