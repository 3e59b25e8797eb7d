import { timingSafeEqual } from 'node:crypto'

/** Whether a text is the expected one, in a time that does not tell where the two differ. Their lengths may show. */
export function equalTexts(given: string, expected: string): boolean {
  const left = Buffer.from(given)
  const right = Buffer.from(expected)
  return left.length === right.length && timingSafeEqual(left, right)
}
