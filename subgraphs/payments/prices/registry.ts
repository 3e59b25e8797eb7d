import { exchangeTicker } from './exchange-ticker.js'
import { dollarTicker } from './dollar-ticker.js'
import { hermes } from './hermes.js'
import { realTicker } from './real-ticker.js'
import type { PriceSourceKind } from './price-source.js'

/** Every kind of price source, in the order in which they are asked; a new one is its file and a line here. */
export const priceSources: readonly PriceSourceKind[] = [exchangeTicker, realTicker, dollarTicker, hermes]
