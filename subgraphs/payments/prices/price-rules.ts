/** What a deployment asks of a price before money moves by it. Percents and amounts are decimal strings. */
export interface PriceRules {
  /** How far two sources may differ. */
  deviationMaxPercent: string
  /** A price that is older counts as none. */
  maxAgeMs: number
  /** How uncertain a source may be of a price: the oracle by its word, an exchange by half of what lies between its offers. */
  confidenceMaxPercent: string
  /** Up to which amount of a currency one source is enough; a currency that is not named always needs two. */
  loneMax: Readonly<Record<string, string>>
  /** How far a price may be from the last one that was accepted. */
  moveMaxPercent: string
  /** How many readings in a row have to agree before a larger move is accepted. */
  moveReadings: number
}

export const DEFAULT_PRICE_RULES: PriceRules = {
  deviationMaxPercent: '2',
  maxAgeMs: 120_000,
  confidenceMaxPercent: '1',
  loneMax: { BRL: '500', USD: '100' },
  moveMaxPercent: '10',
  moveReadings: 3,
}
