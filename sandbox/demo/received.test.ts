import { describe, expect, it } from 'vitest'
import { showReceived } from './received.js'

const receiver = '0x1111111111111111111111111111111111111111'
const statusOf = (amountTo: string, amount: string): Record<string, unknown> => ({
  amount_to: amountTo,
  global_payment_data: { transfers: [{ receiver_wallet: receiver, amount }] },
})

/** What the demo says of a payment of 18.450185 USDT. */
function said(units: bigint, transferred: string): string[] {
  const lines: string[] = []
  showReceived((line) => lines.push(line), { receiver, units }, statusOf('18.450185', transferred))
  return lines
}

describe('what the demo says of the receiver', () => {
  it('names a reserve that the account keeps, and nothing where it keeps none', () => {
    expect(said(17_527_676n, '17.527676')).toEqual([
      `received         ${receiver}  17.527676 USDT`,
      'kept             0.922509 USDT for refunds, by the reserve of the account',
    ])
    expect(said(18_450_185n, '18.450185')).toHaveLength(1)
  })

  it('stops where the chain has other than was transferred, and says both in the same unit', () => {
    expect(() => said(17_527_676n, '18.450185')).toThrow('got 17.527676 of 18.450185 USDT')
    expect(() => said(18_450_186n, '18.450186')).toThrow("more than the payment's 18.450185")
    expect(() => said(9_000_000n, '9')).toThrow('got only 9.000000 of 18.450185 USDT')
  })
})
