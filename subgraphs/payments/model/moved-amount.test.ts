import { describe, expect, it } from 'vitest'
import { movedAmount, type ShownReturn } from './moved-amount.js'

const back = (amount: string, status: string, more: Partial<ShownReturn> = {}): ShownReturn => ({
  ...{ amount, status, forced: false, reason: 'refund' },
  ...more,
})
const ASKED = back('10', 'requested')

describe('how much an entry of a history is about', () => {
  it.each([
    ['a refund that was ordered', 'refund_requested', [], [ASKED], '10'],
    ['another one of the same amount', 'refund_requested', [ASKED], [ASKED, ASKED], '10'],
    ['one that moves on', 'return_processing', [ASKED, ASKED], [back('10', 'processing'), ASKED], '10'],
    ['two that are done at once', 'return_done', [ASKED], [back('10', 'done'), back('2.5', 'done')], '12.5'],
    ['a dispute alone', 'receipt_taken_back', [ASKED], [back('10', 'done'), back('7', 'done', { forced: true })], '7'],
    [
      'one that is won',
      'chargeback_won',
      [back('7', 'done', { forced: true })],
      [back('7', 'refused', { forced: true })],
      '7',
    ],
    ['nothing that is otherwise', 'return_done', [back('1', 'done')], [back('1', 'done')], null],
    [
      'nothing where what is done takes the reason of the order that it stands for',
      'return_done',
      [back('10', 'done'), ASKED],
      [back('10', 'done', { reason: 'duplicate' }), back('10', 'refused')],
      null,
    ],
    ['nothing that goes back', 'charge_paid', [], [ASKED], null],
  ] as const)('is the sum of %s', (_what, cause, before, after, amount) => {
    expect(movedAmount(cause, before, after)).toBe(amount)
  })
})
