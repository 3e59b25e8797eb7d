import { expect, it } from 'vitest'
import { readLastValidHeight } from './blockhash.js'

const LATEST = { blockhash: 'newest', lastValidBlockHeight: 1_150 }

it.each([
  ['as far as the newest one of a node that knows it', { slot: 2_000, value: true }, 1_150],
  [
    'so much longer where one that knows it is ahead of the one that tells of the newest',
    { slot: 2_040, value: true },
    1_190,
  ],
  ['as far as the newest one of a node that is ahead', { slot: 1_990, value: true }, 1_150],
  ['a life longer where the node does not know it, which may be behind', { slot: 2_000, value: false }, 1_300],
])('a blockhash from elsewhere lives %s', async (_what, { slot, value }, height) => {
  const answers: Record<string, unknown> = {
    getLatestBlockhash: { context: { slot: 2_000 }, value: LATEST },
    isBlockhashValid: { context: { slot }, value },
  }
  const call = (method: string) => Promise.resolve(answers[method])
  expect(await readLastValidHeight({ call }, 'elsewhere')).toBe(height)
})
