import type { Variable } from '../../../kernel/env.js'
import { alphaLend } from './alpha-lend/provider.js'
import { beta } from './beta/provider.js'
import type { YieldProvider } from './provider.js'

/** The providers; one more is a folder and a line. */
export const PROVIDERS: readonly YieldProvider[] = [alphaLend, beta]

/** The variables of all providers, by their names. */
export function providerVariables(): Record<string, Variable<string | undefined>> {
  const variables = PROVIDERS.flatMap((provider) => provider.variables ?? [])
  return Object.fromEntries(variables.map((variable) => [variable.name, variable]))
}
