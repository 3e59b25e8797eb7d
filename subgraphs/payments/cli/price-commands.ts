import { UsageError } from '../../../kernel/command-line.js'
import type { Books } from './answer.js'
import { pairOf, readSymbol } from '../prices/symbols.js'
import { acceptHeldPrice, listPrices } from '../store/accepted-prices.js'

/** `prices`, and `prices accept <pair>` in either order of the two. @throws UsageError */
export async function prices(
  { db, clock }: Books,
  [action, pair, ...more]: readonly string[],
): Promise<{ answer: object; code?: number }> {
  if (action === undefined) return { answer: await listPrices(db) }
  const [one, other, ...others] = (pair ?? '').split('/').map(readSymbol)
  if (action !== 'accept' || !one || !other || others.length > 0 || more.length > 0) {
    throw new UsageError('Which pair? E.g. prices accept BRL/USDT')
  }
  const isAccepted = await acceptHeldPrice(db, clock, pairOf(one, other))
  return { answer: { accepted: isAccepted, prices: await listPrices(db) }, code: isAccepted ? 0 : 1 }
}
