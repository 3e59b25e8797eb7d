import { readOptions, UsageError } from '../../kernel/command-line.js'
import { cardDemos } from './card.js'
import { cryptoDemos, solanaDemos } from './crypto.js'
import type { Demo } from './demo.js'
import { kycDemos } from './kyc.js'
import { pixDemos } from './pix.js'
import { subscriptionDemos } from './subscription.js'
import { yieldDemos } from './yield.js'

/** What the demo shows, by the word that `--only` takes. What moves the clock comes last: links and quotes end by it. */
const METHODS: Readonly<Record<string, readonly Demo[]>> = {
  crypto: cryptoDemos,
  solana: solanaDemos,
  pix: pixDemos,
  card: cardDemos,
  kyc: kycDemos,
  subscription: subscriptionDemos,
  yield: yieldDemos,
}

export const USAGE = `Usage: npm run demo -- [--only METHOD,…] [--keep-clock]

Takes payments against the sandbox that runs on DATA_DIR (npm start), and shows each step.

  --only METHOD,…  only these: ${Object.keys(METHODS).join(', ')}
  --keep-clock     leaves out what moves the sandbox's clock, which cannot be taken back:
                   the subscriptions, and the lending that earns for a week
  --help           this text

It keeps to the demo tenant. Payments that it makes stay, and so do its orders, at most five, which
later runs use again; with 20 orders there already it pays without one.`

/**
 * Reads the arguments of the demo.
 * @returns the demos that are to be shown, in their order
 * @throws UsageError for a method that there is none of, or where nothing would be left
 */
export function readDemos(args: readonly string[]): readonly Demo[] {
  const values = readOptions(args, { only: { type: 'string' }, 'keep-clock': { type: 'boolean' } })
  const { only } = values
  const names = typeof only === 'string' ? only.split(',').map((word) => word.trim()) : Object.keys(METHODS)
  const unknown = names.find((name) => !Object.hasOwn(METHODS, name))
  if (unknown !== undefined) {
    throw new UsageError(`--only takes ${Object.keys(METHODS).join(', ')}; there is no "${unknown}".`)
  }
  const chosen = Object.entries(METHODS).flatMap(([name, demos]) => (names.includes(name) ? demos : []))
  const demos = values['keep-clock'] ? chosen.filter(({ weeks = 0 }) => weeks === 0) : chosen
  if (demos.length === 0) throw new UsageError('With --keep-clock nothing of that is left.')
  return demos
}

/** What a run of these cannot take back, as a sentence; undefined where there is nothing. */
export function warningOf(demos: readonly Demo[]): string | undefined {
  const weeks = demos.reduce((sum, { weeks: own = 0 }) => sum + own, 0)
  if (weeks === 0) return undefined
  return (
    `This moves the sandbox's clock ${weeks} ${weeks === 1 ? 'week' : 'weeks'} ahead, which cannot be taken back: what is open then expires.\n` +
    'Ctrl-C ends it before that; --keep-clock leaves it out.'
  )
}
