import { OperationTypeNode } from 'graphql'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { RequestContext } from '../kernel/subgraph.js'
import { createAdmission } from './admission.js'

const context: RequestContext = {
  requestId: 'request',
  caller: { tenantId: 'c000000000000000000tenant', keyId: 'key', products: [] },
}
const ANOTHER: RequestContext = { ...context, caller: { ...context.caller, tenantId: 'c00000000000000000another' } }
const SMALL_READ = { kind: OperationTypeNode.QUERY, weight: 1, lane: () => 'payments', isPlanned: () => true }
const OF_KYC = { ...SMALL_READ, lane: () => 'kyc' }
const charge = () => ({ allowed: true }) as never
const rates = { charge, chargeEvent: charge }

/** Work that no subgraph ever answers. */
const hangs = () => new Promise<never>(() => undefined)
const reads = () => Promise.resolve('read')

// What waits has a timer, which would keep the process of all tests busy for half a minute.
beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('small reads of a tenant whose subgraph hangs', () => {
  it('wait in a number that has an end, are told what those are that began, and keep nobody else waiting', async () => {
    const { run } = createAdmission(rates)
    const codes: unknown[] = []
    for (let asked = 0; asked < 5_100; asked += 1)
      run(SMALL_READ, context, hangs).catch(({ code }: { code: unknown }) => codes.push(code))
    expect(await run(SMALL_READ, ANOTHER, reads)).toBe('read')
    expect(codes).toEqual(Array.from({ length: 5_100 - 24 - 5_000 }, () => 'provider_timeout'))
    // What writes has its own time.
    const small = { ...SMALL_READ, kind: OperationTypeNode.MUTATION }
    expect(await run(small, context, () => Promise.resolve('written'))).toBe('written')
  })

  it('are answered while their clients still wait, and not begun after that', async () => {
    const { run } = createAdmission(rates)
    const begun: string[] = []
    const held = Promise.withResolvers<string>()
    const first = run(SMALL_READ, context, () => held.promise)
    for (let asked = 1; asked < 24; asked += 1) void run(SMALL_READ, context, hangs)
    const wait = (name: string) =>
      run(SMALL_READ, context, () => {
        begun.push(name)
        return reads()
      })
    const refused = expect(wait('early')).rejects.toMatchObject({ code: 'provider_timeout' })
    await vi.advanceTimersByTimeAsync(29_000)
    const late = wait('late')
    await vi.advanceTimersByTimeAsync(1_000)
    await refused
    held.resolve('read')
    expect(await Promise.all([first, late])).toEqual(['read', 'read'])
    expect(begun).toEqual(['late'])
  })
})

describe('small reads of a subgraph that hangs', () => {
  const LANES = ['kyc', 'accounts', 'yield', 'orders', 'gateway']

  it('keep none of another subgraph waiting, however many they are', async () => {
    const { run } = createAdmission(rates)
    for (let asked = 0; asked < 5_100; asked += 1) run(OF_KYC, context, hangs).catch(() => undefined)
    const answers = Array.from({ length: 1_000 }, async () => run(SMALL_READ, context, reads))
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['read']))
  })

  it('take no more slots of a tenant than there are, but one of each subgraph, whichever hang', async () => {
    const { run } = createAdmission(rates)
    const begun: string[] = []
    for (const lane of LANES)
      for (let asked = 0; asked < 30; asked += 1)
        void run({ ...SMALL_READ, lane: () => lane }, context, () => {
          begun.push(lane)
          return hangs()
        })
    expect(LANES.map((lane) => begun.filter((one) => one === lane).length)).toEqual([24, 8, 1, 1, 1])
    expect(await run(SMALL_READ, context, reads)).toBe('read')
    // Those of an ended one have room for others.
    expect(await Promise.all([1, 2, 3].map(async () => run(SMALL_READ, context, reads)))).toEqual([
      'read',
      'read',
      'read',
    ])
  })
})

describe('small reads that are answered', () => {
  it('are refused to no tenant that asks for 5,000 at once', async () => {
    const { run } = createAdmission(rates)
    const answers = Array.from({ length: 5_024 }, async () => run(SMALL_READ, context, reads))
    expect(new Set(await Promise.all(answers))).toEqual(new Set(['read']))
  })
})

describe('short reads', () => {
  const SHORT = { ...SMALL_READ, weight: 4 }

  it('run sixteen at once, so that what they look up goes together, and keep no other tenant waiting', async () => {
    const { run } = createAdmission(rates)
    const begun: string[] = []
    const asked = Array.from({ length: 30 }, () =>
      run(SHORT, context, () => {
        begun.push('short')
        return hangs()
      }),
    )
    expect(asked).toHaveLength(30)
    expect(begun).toHaveLength(16)
    expect(await run(SHORT, ANOTHER, reads)).toBe('read')
  })

  it('wait for no other subgraph that hangs, nor for what is large', async () => {
    const { run } = createAdmission(rates)
    for (let asked = 0; asked < 50; asked += 1) void run({ ...SHORT, lane: () => 'kyc' }, context, hangs)
    for (let asked = 0; asked < 50; asked += 1) void run({ ...SHORT, weight: 50 }, context, hangs)
    expect(await run(SHORT, context, reads)).toBe('read')
  })

  it('are told after half a minute that what they wait for did not answer', async () => {
    const { run } = createAdmission(rates)
    for (let asked = 0; asked < 16; asked += 1) void run(SHORT, context, hangs)
    const late = expect(run(SHORT, context, reads)).rejects.toMatchObject({ code: 'provider_timeout' })
    await vi.advanceTimersByTimeAsync(30_000)
    await late
  })

  it('are planned one after the other, as all that is done at one go', async () => {
    const { run } = createAdmission(rates)
    const planned: string[] = []
    const unplanned = { ...SHORT, isPlanned: () => false, lane: () => String(planned.push('planned')) }
    const answer = run(unplanned, context, reads)
    expect(planned).toEqual([])
    await vi.advanceTimersByTimeAsync(300)
    expect(await answer).toBe('read')
    expect(planned).toEqual(['planned'])
  })

  it('are refused where a hundred wait in their lane', async () => {
    const { run } = createAdmission(rates)
    for (let asked = 0; asked < 116; asked += 1) void run(SHORT, context, hangs)
    await expect(run(SHORT, context, reads)).rejects.toMatchObject({ code: 'too_many_operations' })
  })
})

describe('what is large', () => {
  // What is done at one go waits for the event loop's next round, and that is a real one.
  beforeEach(() => void vi.useRealTimers().useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }))

  it('waits for a minute, and is not begun once its client was refused', async () => {
    const { run } = createAdmission(rates)
    const write = { ...SMALL_READ, kind: OperationTypeNode.MUTATION, weight: 50 }
    const ends = Array.from({ length: 4 }, () => Promise.withResolvers<string>())
    const running = ends.map(({ promise }) => run(write, context, () => promise))
    const begun: string[] = []
    const wait = (name: string) =>
      run(write, context, () => {
        begun.push(name)
        return reads()
      })
    const refused = expect(wait('early')).rejects.toMatchObject({ code: 'too_many_operations' })
    await vi.advanceTimersByTimeAsync(59_000)
    const late = wait('late')
    await vi.advanceTimersByTimeAsync(1_000)
    await refused
    for (const { resolve } of ends) resolve('written')
    await Promise.all([...running, late])
    expect(begun).toEqual(['late'])
  })
})
