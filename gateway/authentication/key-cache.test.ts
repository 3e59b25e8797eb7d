import { describe, expect, it } from 'vitest'
import { adjustableClock } from '../../kernel/clock.js'
import { keyCache, type CachedKey } from './key-cache.js'

/** A cache in front of keys that a test can add and revoke. */
function setUp(limits: { maxKnown?: number; maxUnknown?: number } = {}) {
  const steady = adjustableClock()
  const machine = { setBackMs: 0 }
  const clock = { ...steady, now: () => new Date(steady.now().getTime() - machine.setBackMs) }
  const keys = new Map<string, CachedKey<string>>()
  const lookUps: string[] = []
  const state = { failing: false }
  const cache = keyCache<string>({
    clock,
    maxKnown: limits.maxKnown ?? 100,
    maxUnknown: limits.maxUnknown ?? 100,
    load: async (hash) => {
      lookUps.push(hash)
      await Promise.resolve()
      if (state.failing) throw new Error('the database is away')
      return keys.get(hash) ?? null
    },
  })
  const add = (hash: string, expiresAtMs = Infinity) => keys.set(hash, { value: `caller of ${hash}`, expiresAtMs })
  return { clock, machine, keys, lookUps, state, cache, add }
}

describe('the cache of key statuses', () => {
  it('answers at once after the first look-up', async () => {
    const { cache, add, lookUps } = setUp()
    add('a')
    expect(await cache.get('a')).toBe('caller of a')
    expect(cache.get('a')).toBe('caller of a')
    expect(lookUps).toEqual(['a'])
  })

  it('looks a key up once for all requests that wait for it', async () => {
    const { cache, add, lookUps } = setUp()
    add('a')
    await Promise.all(Array.from({ length: 50 }, async () => cache.get('a')))
    expect(lookUps).toEqual(['a'])
  })

  it('makes a revocation effective within 5 seconds', async () => {
    const { cache, add, keys, clock } = setUp()
    add('a')
    await cache.get('a')
    keys.delete('a')
    clock.advance(4_000)
    expect(await cache.get('a')).toBeNull()
    expect(cache.lastKnown('a')).toBeUndefined()
  })

  it('does so too where the time of the machine is set back meanwhile', async () => {
    const { cache, add, keys, clock, machine } = setUp()
    add('a')
    await cache.get('a')
    expect(await cache.get('b')).toBeNull()
    machine.setBackMs = 600_000
    keys.delete('a')
    add('b')
    clock.advance(4_000)
    expect([await cache.get('a'), await cache.get('b')]).toEqual([null, 'caller of b'])
  })

  it('makes a new key usable within 5 seconds although it was asked for before', async () => {
    const { cache, add, clock } = setUp()
    expect(await cache.get('a')).toBeNull()
    expect(cache.get('a')).toBeNull()
    add('a')
    clock.advance(4_000)
    expect(await cache.get('a')).toBe('caller of a')
  })

  it('turns a key away from the moment it expires, though it is cached', async () => {
    const { cache, add, clock } = setUp()
    add('a', clock.now().getTime() + 1_000)
    expect(await cache.get('a')).toBe('caller of a')
    clock.advance(1_000)
    expect(await cache.get('a')).toBeNull()
  })

  it('passes a failed look-up on, remembers nothing of it and never lets in', async () => {
    const { cache, add, state, clock } = setUp()
    add('a')
    await cache.get('a')
    clock.advance(4_000)
    state.failing = true
    await expect(cache.get('a')).rejects.toThrow('the database is away')
    await expect(cache.get('a')).rejects.toThrow('the database is away')
    state.failing = false
    expect(await cache.get('a')).toBe('caller of a')
  })

  it('does not wait on a look-up that began more than 4 seconds ago: its answer could be older than a revocation', async () => {
    const { cache, add, clock, lookUps } = setUp()
    add('a')
    const first = cache.get('a')
    clock.advance(4_000)
    await Promise.all([first, cache.get('a')])
    expect(lookUps).toEqual(['a', 'a'])
  })

  it('keeps the keys when a flood of unknown ones comes, and forgets those used longest ago', async () => {
    const { cache, add, lookUps } = setUp({ maxKnown: 2, maxUnknown: 2 })
    add('a')
    add('b')
    for (const hash of ['a', 'b', 'x1', 'x2', 'x3', 'x4']) await cache.get(hash)
    expect(cache.get('a')).toBe('caller of a')
    add('c')
    await cache.get('c')
    lookUps.length = 0
    expect(cache.get('a')).toBe('caller of a')
    await cache.get('b')
    await cache.get('x1')
    expect(lookUps).toEqual(['b', 'x1'])
  })
})
