import { describe, expect, it } from 'vitest'
import { isAmount } from '../kernel/money.js'
import { decimalOf, EMPTY_DRAFT, orderInput, sharesOf, TYPED_DECIMAL } from './page/pages/order-draft.js'

/** As a browser reads a field's pattern. */
const takes = (typed: string) => new RegExp(`^(?:${TYPED_DECIMAL})$`, 'v').test(typed)

describe('a share as it is typed', () => {
  it.each([
    ['.5', '0.5'],
    [',5', '0.5'],
    ['50,', '50'],
    ['50.', '50'],
    [' 33,33 ', '33.33'],
    ['100', '100'],
    ['0', '0'],
  ])('%j is %s', (percent, sent) => {
    const draft = { ...EMPTY_DRAFT, receivers: [{ wallet: 'a', percent }] }
    expect(takes(percent)).toBe(true)
    expect(orderInput(draft).splitPaymentConfig).toEqual([{ receiverWallet: 'a', receiverPercent: sent }])
    expect(isAmount(sent)).toBe(true)
    expect(sharesOf(draft)).toBe(Number(sent))
  })

  it.each(['-5', '+5', '.', ',', '', '1.000,5', '5..', '1e1', 'x'])(
    '%j is refused by its field, and is no other',
    (typed) => {
      expect(takes(typed)).toBe(false)
      expect(isAmount(decimalOf(typed))).toBe(false)
    },
  )
})
