import type { Random } from './fault.js'

/** Mulberry32: small, quick, and the same numbers on every machine. Not for secrets. @param seed a whole number */
export function randomOf(seed: number): Random {
  let state = seed >>> 0
  return () => {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = state
    mixed = Math.imul(mixed ^ (mixed >>> 15), mixed | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296
  }
}

/** One of the items, each as likely. @throws Error where there is none */
export function pick<T>(random: Random, items: readonly T[]): T {
  const item = items[Math.floor(random() * items.length)]
  if (item === undefined) throw new Error('there is nothing to pick from')
  return item
}

/** One of the names, each as likely as its weight says. */
export function pickNamed<Name extends string>(random: Random, weights: Readonly<Record<Name, number>>): Name {
  return pickWeighted(random, Object.entries(weights) as [Name, number][])
}

/** Whether something happens that happens with this probability. */
export function chance(random: Random, probability: number): boolean {
  return random() < probability
}

/** A whole number from `from` to `to`, both included. */
export function between(random: Random, from: number, to: number): number {
  return from + Math.floor(random() * (to - from + 1))
}

/** One of the choices, as likely as its weight says. @throws Error where there is none */
export function pickWeighted<T>(random: Random, choices: readonly (readonly [T, number])[]): T {
  let rest = random() * choices.reduce((sum, [, weight]) => sum + weight, 0)
  for (const [choice, weight] of choices) {
    rest -= weight
    if (rest < 0) return choice
  }
  const last = choices.at(-1)
  if (last === undefined) throw new Error('there is nothing to pick from')
  return last[0]
}
