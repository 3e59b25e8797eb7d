/** A share or a yearly rate as a decimal fraction, scaled by 1e18: 4 % is `40_000_000_000_000_000n`. */
export type Fraction = bigint
export const FRACTION_ONE = 10n ** 18n
