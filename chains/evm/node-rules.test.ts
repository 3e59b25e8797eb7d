import { expect, it } from 'vitest'
import { evmNodeRules } from './node-rules.js'

const isKnown = (message: string): boolean => evmNodeRules.isAlreadyKnown({ code: -32_000, message })

it.each([
  'already known',
  'AlreadyKnown',
  'transaction already imported',
  'known transaction: 5e2f…',
  'Known transaction',
  'ALREADY_EXISTS: already known',
])('takes %j for a transaction that the node has', (message) => {
  expect(isKnown(message)).toBe(true)
})

it.each(['unknown transaction type', 'Unknown transaction type 4', 'unknown transaction', 'nonce too low'])(
  'does not take %j for one',
  (message) => {
    expect(isKnown(message)).toBe(false)
  },
)
