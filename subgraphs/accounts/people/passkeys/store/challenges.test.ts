import 'reflect-metadata'
import { expect, it } from 'vitest'
import { createLog } from '../../../../../kernel/log.js'
import { ending } from '../../../../../test/harness/at-end.js'
import { ownDatabase } from '../../../../../test/harness/database.js'
import { openAccountsDatabase } from '../../../context.js'
import { challengesStore } from './challenges.js'

const { url } = await ownDatabase()
const db = ending(await openAccountsDatabase({ url, poolSize: 6, log: createLog('silent') }))
const challenges = challengesStore(db)
const NOW = new Date('2026-11-23T12:00:00.000Z')
const LATER = new Date('2026-11-23T12:05:00.000Z')

it('gives a challenge away once, however many answer it at the same moment', async () => {
  const owner = { owner: 'session', purpose: 'prove' } as const
  await challenges.keep(owner, 'challenge', LATER)
  const taken = await Promise.all(Array.from({ length: 6 }, () => challenges.take(owner, NOW)))
  expect(taken.filter((challenge) => challenge !== undefined)).toEqual(['challenge'])
})

it('keeps one for each owner and purpose, and forgets what nobody has answered in time', async () => {
  const left = { owner: 'browser', purpose: 'sign-in' } as const
  const open = { owner: 'session', purpose: 'add' } as const
  await challenges.keep(left, 'left', NOW)
  await challenges.keep(open, 'first', LATER)
  await challenges.keep(open, 'second', LATER)
  expect(await challenges.take({ ...open, purpose: 'prove' }, NOW)).toBeUndefined()
  await challenges.forget(NOW)
  const { rows } = await db.pool.query('select owner from accounts.passkey_challenge')
  expect(rows).toEqual([{ owner: 'session' }])
  expect(await challenges.take(open, NOW)).toBe('second')
})
