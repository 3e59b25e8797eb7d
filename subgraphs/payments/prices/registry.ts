import { exchangeTicker } from './exchange-ticker.js'
import type { PriceSourceKind } from './price-source.js'

/** Every kind of price source; a new one is its file and a line here. */
export const priceSources: readonly PriceSourceKind[] = [exchangeTicker]
