import { afterEach, describe, expect, it, vi } from 'vitest'
import { adjustableClock } from '../../kernel/clock.js'
import {
  createAuthentication,
  type AuthenticationOptions,
  type AuthenticationVerdict,
  type KeyStatus,
} from './authenticate.js'

const status: KeyStatus = {
  keyId: 'ckey',
  tenantId: 'ctenant',
  products: ['crypto', 'pix'],
  fiats: null,
  expiresAt: null,
}

function setUp(options: Partial<AuthenticationOptions> = {}) {
  const clock = adjustableClock()
  const keys = new Map<string, KeyStatus>([['hash of good', status]])
  let lookUps = 0
  const authentication = createAuthentication({
    clock,
    hashKey: (text) => (text.startsWith('malformed') ? undefined : `hash of ${text}`),
    isKey: (text) => !text.startsWith('mistyped'),
    keyStatus: async (hash) => {
      lookUps += 1
      return keys.get(hash) ?? null
    },
    products: ['crypto', 'kyc'],
    apiKeyHeader: 'exact',
    limitPerMinute: 5,
    ...options,
  })
  const send = (key: string) => authentication.check(['host', 'localhost', 'x-api-key', key], '127.0.0.1')
  return { clock, keys, authentication, send, lookUps: () => lookUps }
}

describe('authentication', () => {
  it('lets a valid key in, with the products that both deployment and tenant have, and tells the rate', async () => {
    const { send } = setUp()
    expect(await send('good')).toEqual({
      kind: 'ok',
      caller: { keyId: 'ckey', tenantId: 'ctenant', products: ['crypto'] },
      keyHash: 'hash of good',
      headers: { 'ratelimit-policy': '"default";q=5;w=60', ratelimit: '"default";r=4;t=60' },
      rate: { allowed: true, limit: 5, remaining: 4, resetSeconds: 60 },
    })
  })

  it("gives a platform key the deployment's products and no tenant", async () => {
    const { send, keys } = setUp()
    keys.set('hash of platform', { ...status, tenantId: null, products: [] })
    expect(await send('platform')).toMatchObject({
      kind: 'ok',
      caller: { tenantId: null, products: ['crypto', 'kyc'] },
    })
  })

  it('decides about a key that it knows without waiting for anything', async () => {
    const { send } = setUp()
    await send('good')
    expect(send('good')).not.toBeInstanceOf(Promise)
  })

  it('refuses the wrong header before anything else', () => {
    const { authentication } = setUp()
    expect(authentication.check(['Authorization', 'Bearer good'], '127.0.0.1')).toMatchObject({ kind: 'forbidden' })
  })

  it('turns away without a look-up what has not the form of a key', async () => {
    const { authentication, send, lookUps } = setUp()
    expect(await authentication.check([], '127.0.0.1')).toMatchObject({ kind: 'unauthorized' })
    expect(await send('malformed')).toMatchObject({ kind: 'unauthorized' })
    expect(await send('mistyped')).toMatchObject({ kind: 'unauthorized' })
    expect(lookUps()).toBe(0)
  })

  it('refuses the request over the limit before it looks at the key, and says when to come back', async () => {
    const { send, keys, clock } = setUp()
    for (let request = 1; request <= 5; request += 1) expect(await send('good')).toMatchObject({ kind: 'ok' })
    expect(await send('good')).toMatchObject({
      kind: 'rate',
      retryAfterSeconds: 60,
      headers: { 'retry-after': '60', ratelimit: '"default";r=0;t=60' },
    })
    keys.clear()
    clock.advance(10_000)
    expect(await send('good')).toMatchObject({ kind: 'rate', retryAfterSeconds: 50 })
  })

  it('limits keys that do not exist, each for itself', async () => {
    const { send } = setUp()
    for (let request = 1; request <= 5; request += 1)
      expect(await send('unknown')).toMatchObject({ kind: 'unauthorized' })
    expect(await send('unknown')).toMatchObject({ kind: 'rate' })
    expect(await send('another')).toMatchObject({ kind: 'unauthorized' })
    expect(await send('good')).toMatchObject({ kind: 'ok' })
  })

  it('lets a revoked key in for 4 seconds at most', async () => {
    const { send, keys, clock } = setUp()
    await send('good')
    keys.clear()
    clock.advance(4_000)
    expect(await send('good')).toMatchObject({ kind: 'unauthorized' })
  })

  it('fails when the key cannot be looked up: it neither lets in nor turns away, and tells the rate as far as it is known', async () => {
    const cause = new Error('the database is away')
    let isAway = true
    const { send, clock } = setUp({ keyStatus: () => (isAway ? Promise.reject(cause) : Promise.resolve(status)) })
    const policy = { 'ratelimit-policy': '"default";q=5;w=60' }
    const unknown = { kind: 'failed', cause, headers: { ...policy, ratelimit: '"default";r=5;t=60' } }
    expect(await send('good')).toEqual(unknown)
    isAway = false
    expect(await send('good')).toMatchObject({ kind: 'ok' })
    isAway = true
    clock.advance(6_000)
    expect(await send('good')).toEqual({ ...unknown, headers: { ...policy, ratelimit: '"default";r=3;t=54' } })
  })

  it('counts exactly when the first requests of a key come all at once', async () => {
    const { send } = setUp()
    const verdicts = await Promise.all(Array.from({ length: 20 }, async () => send('good')))
    expect(verdicts.filter(({ kind }) => kind === 'ok')).toHaveLength(5)
  })

  it('has no limit and no rate headers at 0', async () => {
    const { send } = setUp({ limitPerMinute: 0 })
    for (let request = 1; request <= 50; request += 1)
      expect(await send('good')).toMatchObject({ kind: 'ok', headers: {} })
  })
})

describe('look-ups of keys that are none', () => {
  const ADDRESS = '192.0.2.1'
  /** Time in which nobody's budget fills up again. */
  const clock = { now: () => new Date(0), aheadMs: () => 0, steadyMs: () => 0 }

  /** Looks up at an address, and tells how many look-ups ran at once at most; what is late is one at a time. */
  function setUpCounted(found: (hash: string) => Promise<KeyStatus | null>) {
    let [running, most] = [0, 0]
    const keyStatus = async (hash: string) => {
      running += 1
      most = Math.max(most, running)
      await new Promise((resolve) => setImmediate(resolve))
      running -= 1
      return found(hash)
    }
    const { authentication } = setUp({ clock, limitPerMinute: 0, keyStatus })
    const send = async (key: string, address = ADDRESS) => authentication.check(['x-api-key', key], address)
    const sendMany = (count: number, keyOf: (number: number) => string) =>
      Promise.all(Array.from({ length: count }, (_, number) => send(keyOf(number))))
    const countAnew = () => {
      most = 0
    }
    return { send, sendMany, mostAtOnce: () => most, countAnew }
  }

  /** Has used up what an address may look up in a minute at once. */
  async function setUpUsedUp() {
    const counted = setUpCounted((hash) => Promise.resolve(hash.startsWith('hash of good') ? status : null))
    await counted.sendMany(600, (number) => `guess ${number}`)
    counted.countAnew()
    return counted
  }

  it('wait for each other beyond 600 a minute and address, one at a time, and are told that they are none', async () => {
    const { send, mostAtOnce } = await setUpUsedUp()
    const late = await Promise.all(Array.from({ length: 100 }, (_, number) => send(`late ${number}`)))
    expect(late).toEqual(late.map(() => ({ kind: 'unauthorized', headers: {} })))
    expect(mostAtOnce()).toBe(1)
  })

  it('keep a good key waiting that nobody knows yet, and let it in', async () => {
    const { send } = await setUpUsedUp()
    const late = Array.from({ length: 50 }, (_, number) => send(`late ${number}`))
    expect(await send('good')).toMatchObject({ kind: 'ok' })
    // It is known then, and waits for none of them.
    const more = Array.from({ length: 50 }, (_, number) => send(`more ${number}`))
    expect(await send('good')).toMatchObject({ kind: 'ok' })
    expect((await Promise.all([...late, ...more])).filter(({ kind }) => kind === 'unauthorized')).toHaveLength(100)
  })

  it('keep nobody at another address waiting', async () => {
    const { send } = await setUpUsedUp()
    const late = Array.from({ length: 50 }, (_, number) => send(`late ${number}`))
    const first = await Promise.race([...late.slice(10), send('good', '192.0.2.2')])
    expect(first).toMatchObject({ kind: 'ok' })
    await Promise.all(late)
  })

  it('are refused where too many wait already, and say when to come again', async () => {
    const { send } = await setUpUsedUp()
    const late = await Promise.all(Array.from({ length: 600 }, (_, number) => send(`late ${number}`)))
    const refused = late.filter(({ kind }) => kind === 'rate')
    // On a slow machine some wait for longer than they may, too.
    expect(refused.length).toBeGreaterThanOrEqual(600 - 1 - 500)
    expect(refused.length).toBeLessThan(600)
    expect(refused[0]).toMatchObject({ retryAfterSeconds: 1 })
    expect(await send('late again')).toMatchObject({ kind: 'unauthorized' })
  })

  it('fail where the key cannot be looked up', async () => {
    const cause = new Error('the database is away')
    let isAway = false
    const keyStatus = () => (isAway ? Promise.reject(cause) : Promise.resolve(null))
    const { authentication } = setUp({ clock, limitPerMinute: 0, keyStatus })
    const send = async (key: string) => authentication.check(['x-api-key', key], ADDRESS)
    for (let number = 0; number < 600; number += 1) await send(`guess ${number}`)
    isAway = true
    expect(await send('late')).toEqual({ kind: 'failed', cause, headers: {} })
  })

  it('cost nothing where they fail', async () => {
    let isAway = true
    const { sendMany, mostAtOnce } = setUpCounted(() =>
      isAway ? Promise.reject(new Error('the database is away')) : Promise.resolve(null),
    )
    for (let round = 0; round < 2; round += 1) await sendMany(500, (number) => `key ${round} ${number}`)
    isAway = false
    await sendMany(600, (number) => `guess ${number}`)
    expect(mostAtOnce()).toBe(600)
  })

  it('cost one for all requests of a key that come at the same time', async () => {
    const { sendMany, mostAtOnce } = setUpCounted(() => Promise.resolve(null))
    const verdicts = await sendMany(700, () => 'guess')
    expect(new Set(verdicts.map(({ kind }) => kind))).toEqual(new Set(['unauthorized']))
    await sendMany(599, (number) => `guess ${number}`)
    expect(mostAtOnce()).toBe(599)
  })

  it('lock no key out that is known to be good, behind the same address, also when its status is looked up again', async () => {
    const { authentication, send, clock } = setUp({ limitPerMinute: 0 })
    expect(await send('good')).toMatchObject({ kind: 'ok' })
    for (let number = 0; number < 1_000; number += 1)
      await authentication.check(['x-api-key', `guess ${number}`], '127.0.0.1')
    expect(await send('good')).toMatchObject({ kind: 'ok' })
    clock.advance(4_000)
    for (let number = 0; number < 1_000; number += 1)
      await authentication.check(['x-api-key', `other ${number}`], '127.0.0.1')
    expect(await send('good')).toMatchObject({ kind: 'ok' })
  })

  it('cost nothing where a key is good, or was found to be none a moment ago', async () => {
    const { authentication, keys } = setUp({ limitPerMinute: 0 })
    for (let number = 0; number < 2_000; number += 1) {
      keys.set(`hash of tenant ${number}`, status)
      const verdict = await authentication.check(['x-api-key', `tenant ${number}`], '192.0.2.1')
      expect(verdict).toMatchObject({ kind: 'ok' })
      const revoked = await authentication.check(['x-api-key', 'revoked'], '192.0.2.1')
      expect(revoked).toMatchObject({ kind: 'unauthorized' })
    }
  })
})

describe('look-ups of keys that hang', () => {
  afterEach(() => void vi.useRealTimers())

  it('make no key wait without end, and say of none that too many were guessed', async () => {
    vi.useFakeTimers()
    const { authentication } = setUp({ limitPerMinute: 0, keyStatus: () => new Promise<never>(() => undefined) })
    const verdicts: AuthenticationVerdict[] = []
    const send = async (key: string): Promise<void> => {
      verdicts.push(await authentication.check(['x-api-key', key], '192.0.2.1'))
    }
    for (let number = 0; number < 700; number += 1) void send(`key ${number}`)
    await vi.advanceTimersByTimeAsync(5_000)
    // 600 at once, and the first of the others, are looked up; their deadline is that of the subgraph.
    const timedOut = { kind: 'failed', cause: expect.objectContaining({ code: 'provider_timeout' }) }
    expect(verdicts).toEqual(Array.from({ length: 99 }, () => expect.objectContaining(timedOut)))
    // Neither where no further one may wait.
    for (let number = 0; number < 600; number += 1) void send(`more ${number}`)
    await vi.advanceTimersByTimeAsync(5_000)
    expect(new Set(verdicts.map(({ kind }) => kind))).toEqual(new Set(['failed']))
    expect(verdicts.length).toBeGreaterThan(600)
  })
})
