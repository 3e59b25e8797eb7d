import { alphaLend } from './alpha-lend/provider.js'
import { beta } from './beta/provider.js'
import type { YieldProvider } from './provider.js'

/** The providers; one more is a folder and a line. */
export const PROVIDERS: readonly YieldProvider[] = [alphaLend, beta]
