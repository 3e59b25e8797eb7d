import type { Random } from '../fault.js'
import { pickWeighted } from '../random.js'

/** Whether something happens that happens with this probability. */
export function chance(random: Random, probability: number): boolean {
  return random() < probability
}

/** One of several, each as likely as its weight says. */
export function pick<T>(random: Random, weighted: readonly (readonly [weight: number, value: T])[]): T {
  return pickWeighted(
    random,
    weighted.map(([weight, value]) => [value, weight] as const),
  )
}
