import { cryptoRail } from './crypto/rail.js'
import type { Rail } from './rail.js'

/** Every way to pay; a new one is its folder and a line here. */
export const RAILS: readonly Rail[] = [cryptoRail]
