import { afterEach, describe, expect, it } from 'vitest'
import { refusalOf, startYieldHarness } from '../../../test/harness/yield.js'
import { holding, holdingAddress } from '../../../sandbox/solana/seed.js'
import { adjustableClock } from '../../../kernel/clock.js'
import { createLog } from '../../../kernel/log.js'
import type { MarketsRead } from './read-markets.js'
import { listOpportunities } from './rebalance-opportunities.js'
import { strategiesCache } from './strategies-cache.js'
import { findEarnings } from './yield-earnings.js'
import { listStrategies } from './yield-strategies.js'

const harness = await startYieldHarness()
afterEach(() => {
  harness.rpc.onCall = () => 'pass'
})

const MULTIPLE = 'getMultipleAccounts'

/** A cache of what is read at once, for ten minutes. */
function counted({ unread }: { unread: string[] }) {
  const clock = adjustableClock()
  let loads = 0
  const load = () => {
    loads += 1
    return Promise.resolve({ markets: [], unread })
  }
  const cache = strategiesCache({ providers: ['beta'], load, ttlMs: 600_000, clock, log: createLog('silent') })
  return { cache, clock, loads: () => loads }
}

describe('strategies', () => {
  it('are those of both providers, and of one token in any case', async () => {
    const all = await listStrategies(harness.deps, {})
    expect(all.sources).toMatchObject([
      { provider: 'alpha_lend', ok: true, count: 5 },
      { provider: 'beta', ok: true, count: 5 },
    ])
    const one = await listStrategies(harness.deps, { symbol: 'usdt' })
    expect(one.strategies.map(({ provider, token }) => `${provider} ${token.symbol}`)).toEqual([
      'alpha_lend USDT',
      'beta USDT',
    ])
    expect(one.sources.map(({ count }) => count)).toEqual([1, 1])
    expect(
      await refusalOf(Promise.resolve().then(() => listStrategies(harness.deps, { symbol: 'DOGE' }))),
    ).toMatchObject({
      code: 'invalid_parameters',
    })
  })

  it('come from the cache until they are old, then from the chain again, one read for all who ask', async () => {
    const deps = await harness.anotherProcess()
    await listStrategies(deps, {})
    const reads = () => harness.rpc.calls.filter(({ method }) => method === MULTIPLE).length
    const before = reads()
    await listStrategies(deps, {})
    expect(reads()).toBe(before)
    harness.clock.advance(3 * 600_000)
    await Promise.all(Array.from({ length: 20 }, async () => listStrategies(deps, {})))
    expect(reads()).toBe(before + 2)
  })

  it('of a provider that is down are the last known ones, and the sources say so; the other is not held up', async () => {
    const deps = await harness.anotherProcess()
    const first = await listStrategies(deps, {})
    harness.clock.advance(3 * 600_000)
    const { reserve } = harness.marketOf('beta', 'USDC').addresses
    harness.rpc.onCall = ({ method, params }) =>
      method === MULTIPLE && JSON.stringify(params).includes(reserve.toBase58()) ? 'cut' : 'pass'
    const { strategies, sources } = await listStrategies(deps, {})
    expect(sources).toMatchObject([
      { provider: 'alpha_lend', ok: true, count: 5 },
      { provider: 'beta', ok: false, count: 5 },
    ])
    expect(strategies.map(({ id }) => id)).toEqual(first.strategies.map(({ id }) => id))
  })

  it('of a market that cannot be read are the last known ones, in their place, and the sources say so', async () => {
    const deps = await harness.anotherProcess()
    const first = await listStrategies(deps, {})
    const { reserve } = harness.marketOf('beta', 'USDC').addresses
    const [account] = await harness.client.connection.getMultipleAccountsInfo([reserve])
    if (!account) throw new Error('there is no reserve')
    const kept = { ...account, address: reserve.toBase58(), owner: account.owner.toBase58(), lamports: 10_000_000n }
    await harness.control.setAccounts([{ ...kept, data: new Uint8Array(8) }])
    harness.clock.advance(3 * 600_000)
    const { strategies, sources } = await listStrategies(deps, {})
    const fresh = await listStrategies(await harness.anotherProcess(), {})
    await harness.control.setAccounts([kept])
    const told = { provider: 'beta', ok: true, message: expect.stringContaining('but for USDC') }
    expect(sources[1]).toMatchObject({ ...told, count: 5 })
    expect(strategies.map(({ id }) => id)).toEqual(first.strategies.map(({ id }) => id))
    expect(fresh.sources[1]).toMatchObject({ ...told, count: 4 })
    harness.clock.advance(3 * 600_000)
    expect((await listStrategies(deps, {})).sources[1]).toMatchObject({ message: 'Up to date.', count: 5 })
  })

  it('of which some could not be read are read again soon, and not on each question', async () => {
    const { cache, clock, loads } = counted({ unread: ['USDC'] })
    await cache.read()
    clock.advance(14_000)
    await cache.read()
    expect(loads()).toBe(1)
    clock.advance(2_000)
    await cache.read()
    expect(loads()).toBe(2)
  })

  it('are read again after the clock was set back', async () => {
    const { cache, clock, loads } = counted({ unread: [] })
    await cache.read()
    clock.advance(-3 * 3_600_000)
    await cache.read()
    expect(loads()).toBe(2)
  })

  it('answer without a provider that was never there, and fail where none was', async () => {
    const deps = await harness.anotherProcess()
    const { reserve } = harness.marketOf('beta', 'USDC').addresses
    harness.rpc.onCall = ({ params }) => (JSON.stringify(params).includes(reserve.toBase58()) ? 'cut' : 'pass')
    expect((await listStrategies(deps, {})).sources).toMatchObject([
      { ok: true, count: 5 },
      { ok: false, count: 0 },
    ])
    harness.rpc.onCall = () => 'cut'
    const none = await harness.anotherProcess()
    expect(await refusalOf(Promise.resolve().then(() => listStrategies(none, {})))).toMatchObject({
      code: 'provider_unavailable',
    })
    harness.rpc.onCall = () => 'pass'
    expect((await listStrategies(none, {})).sources).toMatchObject([{ ok: true }, { ok: true }])
  })

  it('that are somewhat old are served while they are read anew', async () => {
    const clock = adjustableClock()
    const gate = Promise.withResolvers<MarketsRead>()
    let loads = 0
    const cache = strategiesCache({
      providers: ['beta'],
      load: () => (++loads === 1 ? Promise.resolve({ markets: [], unread: [] }) : gate.promise),
      ttlMs: 1000,
      clock,
      log: createLog('silent'),
    })
    await cache.read()
    clock.advance(1500)
    expect((await Promise.all([cache.read(), cache.read()])).flat()).toMatchObject([{ markets: [] }, { markets: [] }])
    expect(loads).toBe(2)
    gate.resolve({ markets: [], unread: [] })
  })
})

describe('rebalance opportunities', () => {
  it('name the better of two strategies of a token, best spread first', async () => {
    const opportunities = await listOpportunities(harness.deps, {})
    const spreads = opportunities.map(({ apySpreadPercent }) => apySpreadPercent)
    expect(spreads).toEqual(spreads.toSorted((left, right) => right - left))
    for (const { token, winner, alternatives, routeWinner, apySpreadPercent } of opportunities) {
      const routes = [winner, ...alternatives].map((option) => (option.provider === 'beta' ? 'KAMINO' : 'JUPITER'))
      expect(routeWinner).toBe(routes.map((name) => `${token.symbol}-${name}`).join(' > '))
      expect(apySpreadPercent).toBeCloseTo(winner.apyPercent - (alternatives.at(-1)?.apyPercent ?? 0), 7)
    }
    expect((await listOpportunities(harness.deps, { symbol: 'sol' })).map(({ token }) => token.symbol)).toEqual(['SOL'])
  })
})

describe('earnings', () => {
  const earnings = async () => {
    const wallet = (await harness.newWallet()).publicKey.toBase58()
    return findEarnings(harness.deps, { provider: 'beta', asset: 'USDC', wallet, chainName: 'solana' })
  }

  it('of a wallet without a position say so', async () => {
    expect(await earnings()).toMatchObject({ position: null, status: 'no_position', details: null })
  })

  it.each([
    ['given away', { owner: '1'.repeat(32) }, { position: null, status: 'no_position' }],
    ['frozen', { isFrozen: true }, { position: expect.stringMatching(/^1\.0/) as string, status: 'ok', details: null }],
  ])(
    'of a wallet whose account of shares is %s say so, and not that the provider is away',
    async (_what, change, told) => {
      const owner = (await harness.newWallet()).publicKey
      const wallet = owner.toBase58()
      const mint = harness.marketOf('beta', 'USDC').addresses.shareMint.toBase58()
      const account = holding(holdingAddress(wallet, mint), { owner: wallet, mint, amount: 1_000_000n, ...change })
      if ('isFrozen' in change) account.data[108] = 2
      await harness.control.setAccounts([account])
      const query = { provider: 'beta', asset: 'USDC', wallet, chainName: 'solana' }
      const details =
        'isFrozen' in change ? null : "The wallet does not control its own token account of the strategy's shares."
      expect(await findEarnings(harness.deps, query)).toMatchObject({ ...told, details })
    },
  )

  it('that cannot be read say why, as an answer', async () => {
    harness.rpc.onCall = () => 'cut'
    expect(await earnings()).toMatchObject({
      position: null,
      status: 'provider_unavailable',
      details: expect.any(String),
    })
  })
})
