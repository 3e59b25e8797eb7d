import { expect, it } from 'vitest'
import { tenantShares } from './tenant-share.js'

const now = new Date('2026-11-25T12:00:00Z')
const after = (ms: number) => new Date(now.getTime() + ms)

it('the share of a tenant is bounded, puts off what is above it one after the other, and takes nothing of another’s', async () => {
  const shares = tenantShares({ running: 2, afterMs: 2_000, apartMs: 20 })
  const begun: string[] = []
  const gate = Promise.withResolvers<undefined>()
  const work = (name: string) => async () => {
    begun.push(name)
    await gate.promise
  }
  const running = ['first', 'second'].map((name) => shares.run('worst', now, work(name)))
  expect(await shares.run('worst', now, work('third'))).toEqual(after(2_000))
  expect(await shares.run('worst', after(1), work('fourth'))).toEqual(after(2_020))
  running.push(shares.run('other', now, work('other')))
  expect(begun).toEqual(['first', 'second', 'other'])
  gate.resolve(undefined)
  expect(await Promise.all(running)).toEqual([undefined, undefined, undefined])
  // What fails gives its place back as well.
  const failing = () => shares.run('worst', now, () => Promise.reject(new Error('it failed')))
  for (let time = 0; time < 3; time += 1) await expect(failing()).rejects.toThrow('it failed')
  expect(await shares.run('worst', now, work('fifth'))).toBeUndefined()
})
