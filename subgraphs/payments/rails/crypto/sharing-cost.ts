import { setTimeout as delay } from 'node:timers/promises'
import { readSharingPrices, sharingCost, type SharingPrices } from '../../../../chains/evm/sharing-cost.js'
import type { Logger } from '../../../../kernel/log.js'
import { toBaseUnits } from '../../../../kernel/money.js'
import type { ChainAccess } from '../../model/chain-access.js'
import type { Runtime } from '../../model/runtime.js'
import type { Markets } from '../../prices/market.js'
import type { SplitDestination } from './destination.js'

/**
 * What it costs us to share a split out now, in base units of its token, rounded up; undefined while the price of gas, or of the chain's
 * coin in that token, cannot be had. Never rejects.
 * @param symbol the token's
 */
export type SharingCost = (split: SplitDestination, symbol: string) => Promise<bigint | undefined>

type SharingCostDeps = Pick<Runtime, 'clock'> &
  Pick<ChainAccess, 'evmClient'> &
  Pick<Markets, 'findMarket'> & { log: Pick<Logger, 'warn'> }

interface Prices extends SharingPrices {
  /** How much of the token buys one coin, in units of 10^-18. */
  coinRate: bigint
}

interface Entry {
  /** Those that were read, or nothing where that takes long. */
  prices: Promise<Prices | undefined>
  /** On the monotonic clock. */
  expiresAtMs: number
}

/** So long prices are not asked for again, nor that they cannot be had. */
const TTL_MS = 30_000
const RATE_DECIMALS = 18
/** A payer does not wait longer for what only guards our gas: a source that hangs takes its time-out, several times. */
const READ_WITHIN_MS = 1_000

/**
 * The costs of splits, with a memory of half a minute of the prices of each chain and token.
 * @param late resolves when prices that are being read have taken too long
 */
export function sharingCosts(
  deps: SharingCostDeps,
  late: () => Promise<unknown> = () => delay(READ_WITHIN_MS, undefined, { ref: false }),
): SharingCost {
  const { clock, log } = deps
  const entries = new Map<string, Entry>()
  /** What the log has told of as unknown, and has not been known since. */
  const told = new Set<string>()

  async function read(key: string, split: SplitDestination, symbol: string): Promise<Prices | undefined> {
    try {
      const prices = await readPrices(deps, split, symbol)
      told.delete(key)
      return prices
    } catch (err) {
      if (!told.has(key)) {
        log.warn({ chain: split.chain.name, symbol, err }, 'nobody tells what a split costs: minPayout alone bounds it')
      }
      told.add(key)
      return undefined
    }
  }

  function pricesOf(split: SplitDestination, symbol: string): Promise<Prices | undefined> {
    const key = `${split.chain.name}/${symbol}`
    const known = entries.get(key)
    if (known && clock.steadyMs() < known.expiresAtMs) return known.prices
    const reading = read(key, split, symbol)
    const prices = Promise.race([reading, late().then(() => undefined)])
    const entry: Entry = { prices, expiresAtMs: Infinity }
    entries.set(key, entry)
    void reading.then(() => Object.assign(entry, { prices: reading, expiresAtMs: clock.steadyMs() + TTL_MS }))
    return prices
  }

  return async (split, symbol) => {
    const prices = await pricesOf(split, symbol)
    return prices && inToken(prices, split)
  }
}

/** Throws where the token has no market with the coin, and what the chain and the price sources throw. */
async function readPrices(deps: SharingCostDeps, split: SplitDestination, symbol: string): Promise<Prices> {
  const { chain, terms } = split
  const coin = chain.nativeCoin.symbol
  const [prices, market] = await Promise.all([
    readSharingPrices(deps.evmClient(chain), chain, terms),
    deps.findMarket(coin, symbol),
  ])
  if (!market) throw new Error(`there is no market from ${coin} to ${symbol}`)
  // The gas payer's coins are bought again: at the price that is asked for them.
  return { ...prices, coinRate: toBaseUnits(market.buyRate, RATE_DECIMALS) }
}

function inToken({ coinRate, ...prices }: Prices, { chain, asset, terms }: SplitDestination): bigint {
  const value = sharingCost(prices, terms) * coinRate * 10n ** BigInt(asset.decimals)
  const one = 10n ** BigInt(chain.nativeCoin.decimals + RATE_DECIMALS)
  return (value + one - 1n) / one
}
