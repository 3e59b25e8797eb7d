import type { Rail } from '../generated/operations.js'
import { useText } from '../messages/use-text.js'

/** The rails whose payers are charged, as they can be chosen, and what each is called. */
export function useRails(): {
  choices: readonly { value: string; label: string }[]
  nameOf: (rail: Rail) => string
} {
  const names: Readonly<Partial<Record<Rail, string>>> = useText().operators.tenants.rails
  return {
    choices: Object.entries(names).map(([value, label]) => ({ value, label })),
    nameOf: (rail) => names[rail] ?? rail,
  }
}
