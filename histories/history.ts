import { randomOf } from '../chaos/random.js'
import { adjustableClock } from '../kernel/clock.js'
import type { Database } from '../kernel/database.js'
import { NO_FEES } from '../subgraphs/payments/model/fees.js'
import { refundTopUpEntry } from '../subgraphs/payments/model/ledger-entries.js'
import { faultsOf } from './check.js'
import { keptInDatabase } from './kept-in-database.js'
import { keptInMemory, type Terms } from './kept.js'
import type { CrashPlan } from './mortal.js'
import { register, type Start, type Way } from './register.js'
import type { Step } from './step.js'
import { rest, take } from './steps.js'
import { openWorld, type World } from './world.js'

/** All that happens in one world. */
export interface History {
  terms: Terms
  /** What the tenant has paid in for refunds, in units. */
  funded: number
  starts: readonly Start[]
  steps: readonly Step[]
}

const WAYS: readonly Way[] = ['pixcrypto', 'cardcrypto', 'cardfiat', 'address']
/** Of less an address is not opened: the receivers would get less than the least. */
const ADDRESS_CENTS = [10_000, 5_420, 99_999]
const ADDRESS_PERCENTS = [[100], [50, 50], [33.33, 33.33, 33.34]]
const PERCENTS = [[100], [50, 50], [33.33, 33.33, 33.34], [70, 30], [99.99, 0.01]]

/** The history of a seed: the same for ever, as long as this file is. */
export function historyOf(seed: number): History {
  const random = randomOf(seed * 7919 + 17)
  const below = (count: number): number => Math.floor(random() * count)
  const pick = <T>(of: readonly T[]): T => of[below(of.length)] as T
  const starts = Array.from({ length: 1 + below(2) }, (): Start => {
    const way = pick(WAYS)
    const isByAddress = way === 'address'
    return {
      way,
      cents: pick(isByAddress ? ADDRESS_CENTS : [10_000, 5_420, 101, 99_999, 3, 100_000_007]),
      percents: pick(isByAddress ? ADDRESS_PERCENTS : PERCENTS),
      fees: random() < 0.5 ? NO_FEES : { percent: '2.5', fixed: '0', spreadPercent: '0.75' },
    }
  })
  const terms = {
    reservePercent: random() < 0.3 ? '5' : undefined,
    bearsGas: random() < 0.3,
    delayMinutes: random() < 0.2 ? 60 : 0,
  }
  const steps = Array.from({ length: 8 + below(30) }, () => stepOf({ random, below, pick }))
  // Most payers pay; those who do not have short histories.
  const first: Step = { do: 'pay', of: 0, more: random() < 0.8 ? 0 : pick([-1, 1, 5_000, -99]) }
  return { terms, funded: pick([0, 50, 5_000_000]), starts, steps: [...(random() < 0.9 ? [first] : []), ...steps] }
}

interface Dice {
  random: () => number
  below: (count: number) => number
  pick: <T>(of: readonly T[]) => T
}

function stepOf({ random, below, pick }: Dice): Step {
  const of = below(2)
  const dies = (): { dies?: CrashPlan } =>
    random() < 0.25 ? { dies: { atStep: below(24), side: random() < 0.5 ? 'before' : 'after' } } : {}
  const cents = (): number => pick([1, 33, 100, 1_000, 4_999, 10_000])
  const kinds: readonly [weight: number, make: () => Step][] = [
    [2, () => ({ do: 'pay', of, more: random() < 0.7 ? 0 : pick([-1, 1, 100]) })],
    [6, () => ({ do: 'sync', of, ...dies() })],
    [6, () => ({ do: 'jobs', ...dies() })],
    [7, () => ({ do: 'settle', ...dies() })],
    [3, () => ({ do: 'follow', ...dies() })],
    [7, () => ({ do: 'mine', refuses: random() < 0.1, prefersOld: random() < 0.3 })],
    [2, () => ({ do: 'reorganise', depth: 1 + below(3), isForgotten: random() < 0.3 })],
    [1, () => ({ do: 'forget' })],
    [1, () => ({ do: 'gas', price: pick([1, 30_000_000_001, 77_777_777_777]) })],
    [4, () => ({ do: 'order-refund', of, cents: random() < 0.3 ? undefined : cents(), ...dies() })],
    [2, () => ({ do: 'next-refund', mode: pick(['waits', 'declined', 'lost'] as const) })],
    [2, () => ({ do: 'end-refunds', isDone: random() < 0.7 })],
    [2, () => ({ do: 'provider-refund', of, cents: cents() })],
    [2, () => ({ do: 'chargeback', of })],
    [2, () => ({ do: 'win', of })],
    [1, () => ({ do: 'force', of, cents: random() < 0.5 ? 0 : cents() })],
    [1, () => ({ do: 'fee', of, cents: pick([-50, 1, 99]) })],
    [2, () => ({ do: 'fees', ...dies() })],
    [3, () => ({ do: 'wait', seconds: pick([1, 20, 65, 901, 3_700, 90_000]) })],
    [1, () => ({ do: 'release', of })],
    [2, () => ({ do: 'send', of, percent: pick([0, 0.05, 40, 60, 99, 100]) })],
    [1, () => ({ do: 'drop', isAgain: random() < 0.5 })],
    [4, () => ({ do: 'watch', ...dies() })],
    [4, () => ({ do: 'share', ...dies() })],
    [1, () => ({ do: pick(['accept', 'give-back'] as const), of, ...dies() })],
  ]
  let place = below(kinds.reduce((all, [weight]) => all + weight, 0))
  for (const [weight, make] of kinds) {
    if (place < weight) return make()
    place -= weight
  }
  return { do: 'forget' }
}

/** How a history is played. */
export interface Playing {
  /** Does something at rest that the product does not see: for tests of the check itself. */
  meddle?: (world: World) => void
  /** Where the product keeps what it writes; in memory where absent. */
  database?: Database
}

/** Lets a history happen, and says what is wrong in the end; nothing where all is well. */
export async function play(
  { terms, funded, starts, steps }: History,
  { meddle, database }: Playing = {},
): Promise<string[]> {
  const clock = adjustableClock()
  const kept = database ? await keptInDatabase(database, clock, terms) : keptInMemory(clock, terms)
  const world = openWorld(kept, clock)
  try {
    const ids = starts.map((start) => register(world, start))
    await kept.begin()
    if (funded > 0) {
      const at = world.clock.now()
      for (const currency of ['BRL', 'USDT']) {
        const entry = refundTopUpEntry(`first ${currency}`, { amount: String(funded), currency })
        await world.process().ledger.bookOnce({ tenantId: 'tenant', paymentId: '-', at }, entry)
      }
    }
    for (const step of steps) await take(world, ids, step)
    await rest(world, ids)
    meddle?.(world)
    return [...faultsOf(world), ...(await kept.check())]
  } catch (error) {
    return [error instanceof Error ? `${error.name}: ${error.message}` : String(error)]
  }
}

/** The same history with as few steps as still go wrong: each is left out that is not needed. */
export async function shrunk(history: History, isPlayed: (one: History) => Promise<string[]> = play): Promise<History> {
  let least = history
  for (let size = Math.ceil(least.steps.length / 2); size >= 1; size = size === 1 ? 0 : Math.ceil(size / 2)) {
    for (let from = 0; from < least.steps.length;) {
      const fewer = { ...least, steps: [...least.steps.slice(0, from), ...least.steps.slice(from + size)] }
      if ((await isPlayed(fewer)).length > 0) least = fewer
      else from += size
    }
  }
  return least
}
