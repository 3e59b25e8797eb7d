import { FIAT_DECIMALS } from './proportion.js'

/** A sum of fiat as people read it, with its cents: `149.9` → `149.90`. @param amount a decimal string; digits behind the cents stay */
export function inCents(amount: string): string {
  const [whole = '0', part = ''] = amount.split('.')
  return `${whole}.${part.padEnd(FIAT_DECIMALS, '0')}`
}
