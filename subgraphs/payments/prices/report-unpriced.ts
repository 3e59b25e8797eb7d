import type { Chain } from '../../../chains/chain.js'
import type { Logger } from '../../../kernel/log.js'
import type { Markets } from './market.js'

/** What the look at all prices needs. */
export interface ReportUnpricedDeps extends Pick<Markets, 'findMarket'> {
  settings: { enabledFiats: readonly string[]; chains: readonly Chain[] }
  log: Logger
  isStopping: () => boolean
}

/**
 * Asks once for the price of every token of the deployment in each of its fiats, and says in one line which have none, or
 * that of one source alone, with which larger payments are refused. Says nothing where all is well. Never rejects.
 */
export async function reportUnpriced({ findMarket, settings, log, isStopping }: ReportUnpricedDeps): Promise<void> {
  const symbols = new Set(settings.chains.flatMap(symbolsOf))
  const unpriced: string[] = []
  const lone: string[] = []
  for (const fiat of settings.enabledFiats) {
    for (const symbol of symbols) {
      if (isStopping()) return
      // One after the other: the oracle allows few calls at a time, and nobody waits for this.
      const market = await findMarket(fiat, symbol).catch(() => undefined)
      if (!market) unpriced.push(`${fiat}/${symbol}`)
      else if (!market.isConfirmed) lone.push(`${fiat}/${symbol}`)
    }
  }
  if (unpriced.length + lone.length > 0)
    log.warn({ unpriced, lone }, 'not every enabled pair has a price of two sources')
}

function symbolsOf(chain: Chain): string[] {
  return [chain.nativeCoin.symbol, ...Object.keys(chain.tokens)]
}
