import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { openRunningJobs } from './running-jobs.js'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('a job whose second try runs for long counts as running until it is over, and its outcome is written', async () => {
  const running = openRunningJobs()
  await running.during('7', () => Promise.reject(new Error('the first try'))).catch(() => undefined)
  vi.advanceTimersByTime(2_700)
  const open = Promise.withResolvers<undefined>()
  const second = running.during('7', () => open.promise)
  vi.advanceTimersByTime(60_000)
  expect(running.has('7')).toBe(true)
  open.resolve(undefined)
  await second
  vi.advanceTimersByTime(29_000)
  expect(running.has('7')).toBe(true)
  vi.advanceTimersByTime(2_000)
  expect(running.has('7')).toBe(false)
})
