import { describe, expect, it } from 'vitest'
import { historyOf, play, shrunk, type History } from './history.js'

const COUNT = 300
const NO_FEES = { percent: '0', fixed: '0', spreadPercent: '0' }
const TERMS = { reservePercent: undefined, bearsGas: false, delayMinutes: 0 }
const PAID = { do: 'pay', of: 0, more: 0 } as const
const SEEN = { do: 'sync', of: 0 } as const

/** A card payment to two receivers of which nobody pays in tokens yet. */
const toTwo = (steps: History['steps'], funded = 5_000_000): History => ({
  terms: TERMS,
  funded,
  starts: [{ way: 'cardcrypto', cents: 5_420, percents: [70, 30], fees: NO_FEES }],
  steps,
})

describe('histories of money', () => {
  it(`end with books that balance and are what chain and providers say, ${COUNT} of them`, async () => {
    const wrong: string[] = []
    for (let seed = 1; seed <= COUNT; seed += 1) {
      const faults = await play(historyOf(seed))
      if (faults.length > 0) wrong.push(`seed ${seed}: ${faults.join('; ')}`)
    }
    expect(wrong).toEqual([])
  })

  it('are the same for the same seed, and other ones for another', () => {
    expect(historyOf(7)).toEqual(historyOf(7))
    expect(historyOf(7)).not.toEqual(historyOf(8))
  })

  it('show what is wrong: money that nobody booked, shrunk to the step that brought it', async () => {
    // A wallet that gets something past the product: a receiver of another payment is paid by nobody's transaction.
    const history = toTwo([
      PAID,
      SEEN,
      { do: 'wait', seconds: 1 },
      { do: 'fee', of: 0, cents: 5 },
      { do: 'mine', refuses: false, prefersOld: false },
    ])
    const cheat = (one: History) =>
      play(one, { meddle: ({ card, kept }) => card.changeFee(kept.memory.tables.payments[0]?.id ?? '', 1) })
    expect(await cheat(history)).toEqual([expect.stringContaining('what it keeps, by the list')])
    expect((await shrunk(history, cheat)).steps.length).toBeLessThan(history.steps.length)
  })
})

describe('what histories have found', () => {
  it('a chargeback that was won, and after a refund taken again, before anybody looked, takes what is left', async () => {
    const steps = [
      PAID,
      SEEN,
      { do: 'chargeback', of: 0 },
      SEEN,
      { do: 'win', of: 0 },
      { do: 'provider-refund', of: 0, cents: 1_000 },
      { do: 'chargeback', of: 0 },
    ] as const
    expect(await play(toTwo(steps))).toEqual([])
  })

  it('money that is given back whole, of which somebody has refunded a part at the provider, goes back but for that part', async () => {
    const late = { do: 'wait', seconds: 3_700 } as const
    expect(await play(toTwo([late, PAID, { do: 'provider-refund', of: 0, cents: 1_000 }]))).toEqual([])
    expect(await play(toTwo([late, PAID, { do: 'provider-refund', of: 0, cents: 5_420 }]))).toEqual([])
  })

  it('a payout that comes back after a refund which the tenant has paid is taken back with all that it was converted for', async () => {
    const refused = { do: 'mine', refuses: true, prefersOld: false } as const
    const refund = { do: 'order-refund', of: 0, cents: 1_000 } as const
    const steps = [PAID, SEEN, { do: 'settle' }, refund, refused] as const
    expect(await play(toTwo([...steps, { do: 'chargeback', of: 0 }]))).toEqual([])
    expect(
      await play(toTwo([...steps, refused, { do: 'settle' }, { do: 'order-refund', of: 0, cents: undefined }])),
    ).toEqual([])
  })

  it('whom a block has left out, and another branch pays after all, gets no second transaction before the block is final', async () => {
    const mine = { do: 'mine', refuses: false, prefersOld: false } as const
    const refused = { ...mine, refuses: true }
    const late = { do: 'wait', seconds: 65 } as const
    const drops = { do: 'reorganise', depth: 3, isForgotten: false } as const
    const steps = [
      PAID,
      SEEN,
      { do: 'settle' },
      refused,
      mine,
      { do: 'settle' },
      late,
      { do: 'settle' },
      drops,
    ] as const
    expect(await play(toTwo(steps))).toEqual([])
    expect(await play(toTwo([...steps.slice(0, -1), mine, { do: 'follow' }, drops, mine, mine]))).toEqual([])
  })

  it('more than the whole that came to an address, of which the chain drops a part before it is shared out, is paid', async () => {
    const pays = { do: 'send', of: 0, percent: 100 } as const
    const steps = [pays, pays, { do: 'watch' }, { do: 'drop', isAgain: false }] as const
    const start = { way: 'address', cents: 5_420, percents: [50, 50], fees: NO_FEES } as const
    expect(await play({ terms: TERMS, funded: 0, starts: [start], steps })).toEqual([])
  })

  it('a fee that was booked by a worker which died, for a block that was dropped, is that of the block that holds it now', async () => {
    const mine = { do: 'mine', refuses: false, prefersOld: false } as const
    const dies = { atStep: 8, side: 'before' } as const
    const ends = { do: 'reorganise', depth: 3, isForgotten: false } as const
    const steps = [
      PAID,
      SEEN,
      { do: 'settle' },
      mine,
      mine,
      { do: 'settle', dies },
      { do: 'gas', price: 77 },
      ends,
    ] as const
    for (let atStep = 0; atStep < 12; atStep += 1) {
      const history = steps.map((step) =>
        step.do === 'settle' && 'dies' in step ? { ...step, dies: { ...dies, atStep } } : step,
      )
      expect(await play(toTwo(history))).toEqual([])
    }
  })
})
