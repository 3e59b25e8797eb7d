import { describe, expect, it } from 'vitest'
import { forgetAct, keyOf, openForm, tellSessionOver } from './page/graph/act-keys.js'

const AMOUNT = { amount: '10' }

describe('the key of an act', () => {
  it('is the same until the act is done, whatever else is done meanwhile', () => {
    const refund = keyOf('refund', AMOUNT)
    keyOf('invite', {})
    forgetAct('invite')
    expect(keyOf('refund', AMOUNT)).toBe(refund)
    forgetAct('refund')
    expect(keyOf('refund', AMOUNT)).not.toBe(refund)
  })

  it('is another with other values, and for all values once one of them was done: it may have undone the others', () => {
    const [five, seven] = ['5', '7'].map((amount) => keyOf('limit', { amount }))
    expect(seven).not.toBe(five)
    forgetAct('limit')
    expect(keyOf('limit', { amount: '5' })).not.toBe(five)
  })

  it('outlives other forms that are opened and closed, and not its own', () => {
    const close = openForm()
    const first = keyOf('giveBack', AMOUNT)
    const closeOther = openForm()
    const other = keyOf('cancel', {})
    closeOther()
    expect(keyOf('cancel', {})).not.toBe(other)
    expect(keyOf('giveBack', AMOUNT)).toBe(first)
    close()
    const reopened = openForm()
    expect(keyOf('giveBack', AMOUNT)).not.toBe(first)
    reopened()
  })

  it('outlives its form where the session ends under it: what was sent may have been done', () => {
    const close = openForm()
    const first = keyOf('refundOnce', AMOUNT)
    tellSessionOver(true)
    close()
    tellSessionOver(false)
    const closeAgain = openForm()
    expect(keyOf('refundOnce', AMOUNT)).toBe(first)
    closeAgain()
    expect(keyOf('refundOnce', AMOUNT)).not.toBe(first)
    forgetAct('refundOnce')
  })
})
