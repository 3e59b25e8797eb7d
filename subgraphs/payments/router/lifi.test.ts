import { pino } from 'pino'
import { solanaChain } from '../../../sandbox/solana/seed.js'
import { encodeFunctionData, type Address, type Hex } from 'viem'
import { beforeEach, describe, expect, it } from 'vitest'
import type { Chain, EvmChain } from '../../../chains/chain.js'
import { adjustableClock } from '../../../kernel/clock.js'
import { sandboxTokenAbi } from '../../../sandbox/anvil/seed.js'
import { startPriceSimulator } from '../../../sandbox/prices/simulator.js'
import { startRouterSimulator } from '../../../sandbox/router/simulator.js'
import { createLifiRouter, type LifiOptions } from './lifi.js'
import type { RouteRequest } from './router.js'
import { ending } from '../../../test/harness/at-end.js'
import { startEvmHarness } from '../../../test/harness/evm.js'
import { CONTRACTS } from '../../../test/harness/chains.js'
import { postJson } from '../../../test/harness/control.js'
import { minedReceipt } from '../../../sandbox/anvil/mined-receipt.js'

const receiver: Address = '0x2222222222222222222222222222222222222222'
const solanaReceiver = '9WzDXwBbmkg8ZTbNMvUxvQRAyrZzDsGYdLVL9zYtAWWM'
const solanaMint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
const unknownHash = `0x${'ab'.repeat(32)}`
const orderedHash = `0x${'cd'.repeat(32)}`
const log = pino({ level: 'silent' })

const { chain: seeded, anvil: client, payer: account } = await startEvmHarness()
const payer = account.address
const chain: EvmChain = { ...seeded, split: null }
const solana: Chain = { ...solanaChain(seeded.rpcUrl), tokens: { USDC: { mint: solanaMint, decimals: 6 } } }
const prices = ending(await startPriceSimulator({ port: 0 }))
const simulator = ending(
  await startRouterSimulator({ port: 0, chains: [chain, solana], priceOf: (symbol) => prices.price(symbol) }),
)
beforeEach(() => control('faults', { mode: 'ok' }))

const control = (path: string, body: object) => postJson(`${simulator.url}/sandbox/${path}`, body)

function router(overrides: Partial<LifiOptions> = {}) {
  const delay = () => Promise.resolve()
  return createLifiRouter({
    baseUrl: simulator.url,
    timeoutMs: 5000,
    log,
    delay,
    clock: adjustableClock(),
    ...overrides,
  })
}

/** 25 USDT for the receiver, paid with the chain's coin. */
function request(overrides: Partial<RouteRequest> = {}): RouteRequest {
  return {
    fromChainId: 31337,
    toChain: { family: 'evm', chainId: 31337 },
    toTokenAddress: CONTRACTS.USDT,
    payer,
    receiver,
    amountOut: 25_000_000n,
    allowedTargets: chain.routers,
    ...overrides,
  }
}

async function send(transaction: { to: string; data: string; value: bigint; gasLimit: bigint }): Promise<Hex> {
  const { to, data, value, gasLimit } = transaction
  const hash = await client.sendUnsignedTransaction({
    from: payer,
    to: to as Address,
    data: data as Hex,
    value,
    gas: gasLimit,
  })
  await minedReceipt(client, hash)
  return hash
}

const toSolana: Partial<RouteRequest> = {
  toChain: { family: 'solana' },
  toTokenAddress: solanaMint,
  receiver: solanaReceiver,
}
const balanceOf = (token: Address, account: Address) =>
  client.readContract({ address: token, abi: sandboxTokenAbi, functionName: 'balanceOf', args: [account] })

describe('a quote', () => {
  it('for native coin pays the receiver exactly what is due when it is signed and sent', async () => {
    const clock = adjustableClock()
    const quote = await router({ clock }).quoteExactOut(request())
    // 25 USDT / 0.52 USDT each / (1 - 0.25 %), rounded up.
    expect(quote).toMatchObject({ amountIn: 48197416618469250049n, amountOut: 25_000_000n, amountOutMin: 25_000_000n })
    expect(quote.tx).toMatchObject({ to: CONTRACTS.router, value: quote.amountIn, chainId: 31337 })
    expect(quote).not.toHaveProperty('approvalSpender')
    const before = await balanceOf(CONTRACTS.USDT, receiver)
    const hash = await send(quote.tx)
    expect(await balanceOf(CONTRACTS.USDT, receiver)).toBe(before + 25_000_000n)
    expect(await router().status(hash)).toEqual({ status: 'done', substatus: 'COMPLETED', receivingTxHash: hash })
  })

  it('for a token names the approval that it needs, and fails on chain without it', async () => {
    const quote = await router().quoteExactOut(request({ fromTokenAddress: CONTRACTS.USDC }))
    expect(quote).toMatchObject({ approvalSpender: CONTRACTS.router, tx: { value: 0n } })
    expect(await router().status(await send(quote.tx))).toMatchObject({ status: 'failed' })
    const args = [CONTRACTS.router, quote.amountIn] as const
    const data = encodeFunctionData({ abi: sandboxTokenAbi, functionName: 'approve', args })
    await send({ to: CONTRACTS.USDC, data, value: 0n, gasLimit: 100_000n })
    const before = [await balanceOf(CONTRACTS.USDC, payer), await balanceOf(CONTRACTS.USDT, receiver)] as const
    expect(await router().status(await send(quote.tx))).toMatchObject({ status: 'done' })
    expect(await balanceOf(CONTRACTS.USDC, payer)).toBe(before[0] - quote.amountIn)
    expect(await balanceOf(CONTRACTS.USDT, receiver)).toBe(before[1] + 25_000_000n)
  })

  it('follows the exchange', async () => {
    const one = await router().quoteExactOut(request())
    await postJson(`${prices.url}/sandbox/price`, { symbol: 'POLUSDT', price: '1.04' })
    expect((await router().quoteExactOut(request())).amountIn).toBe((one.amountIn + 1n) / 2n)
  })

  it.each<[string, Partial<RouteRequest>, string]>([
    ['a chain to which no route leads', toSolana, 'chainName'],
    ['a token from which no route leads', { fromTokenAddress: CONTRACTS.USDT }, 'payerTokenSymbol'],
    ['a chain of the payer that the router does not know', { fromChainId: 5 }, 'chainName'],
    ['a chain that it does not know', { toChain: { family: 'evm', chainId: 5 } }, 'chainName'],
    ['a token of the payer that it does not know', { fromTokenAddress: receiver }, 'payerTokenSymbol'],
    ['a token that it does not know', { toTokenAddress: payer }, 'payerTokenSymbol'],
  ])('refuses %s on the field that is wrong', async (_what, pair, field) => {
    const refused = router().quoteExactOut(request(pair))
    await expect(refused).rejects.toMatchObject({ code: 'validation_error', errors: [{ field }] })
  })

  it('says provider_unavailable for what else the router refuses as invalid', async () => {
    const wrong: Partial<RouteRequest>[] = [
      { payer: '0x12' },
      { receiver: 'me' },
      { amountOut: 0n },
      { amountOut: -1n },
    ]
    for (const overrides of wrong) {
      const quote = router().quoteExactOut(request(overrides))
      await expect(quote).rejects.toMatchObject({ code: 'provider_unavailable', cause: { providerCode: '1011' } })
    }
  })

  it('sends the API key where there is one', async () => {
    const seen: (string | null)[] = []
    const spy: typeof fetch = (url, init) => {
      seen.push(new Headers(init?.headers).get('x-lifi-api-key'))
      return fetch(url, init)
    }
    await router({ fetch: spy }).quoteExactOut(request())
    await router({ fetch: spy, apiKey: 'lifi-key' }).quoteExactOut(request())
    expect(seen).toEqual([null, 'lifi-key'])
  })
})

describe('a status', () => {
  it('is not_found for a transaction that no chain has, and for one that is not the router’s', async () => {
    expect(await router().status(unknownHash)).toEqual({ status: 'not_found' })
    const hash = await send({ to: receiver, data: '0x', value: 1n, gasLimit: 21_000n })
    expect(await router().status(hash)).toMatchObject({ status: 'not_found' })
  })

  it('is pending while the transaction waits to be mined', async () => {
    const { tx } = await router().quoteExactOut(request())
    await client.setAutomine(false)
    try {
      const { to, data, value, gasLimit: gas } = tx
      const hash = await client.sendUnsignedTransaction({
        from: payer,
        to: to as Address,
        data: data as Hex,
        value,
        gas,
      })
      expect(await router().status(hash)).toMatchObject({ status: 'pending', substatus: 'WAIT_SOURCE_CONFIRMATIONS' })
      await client.mine({ blocks: 1 })
      expect(await router().status(hash)).toMatchObject({ status: 'done' })
    } finally {
      await client.setAutomine(true)
    }
  })

  it.each([
    ['DONE', 'COMPLETED', 'done'],
    ['DONE', 'PARTIAL', 'partial'],
    ['DONE', 'REFUNDED', 'refunded'],
    ['PENDING', 'WAIT_DESTINATION_TRANSACTION', 'pending'],
    ['FAILED', 'SLIPPAGE_EXCEEDED', 'failed'],
    ['INVALID', undefined, 'not_found'],
    ['NOT_FOUND', undefined, 'not_found'],
  ])('reads %s %s as %s', async (status, substatus, expected) => {
    await control(`router/${orderedHash}`, { status, substatus })
    expect(await router().status(orderedHash)).toEqual({ status: expected, ...(substatus && { substatus }) })
  })

  it('takes DONE without a word on how, or an unknown status, as no answer', async () => {
    await control(`router/${orderedHash}`, { status: 'DONE' })
    await expect(router().status(orderedHash)).rejects.toMatchObject({ code: 'provider_unavailable' })
    const strange = router({ fetch: () => Promise.resolve(Response.json({ status: 'FINE' })) })
    await expect(strange.status(orderedHash)).rejects.toMatchObject({ code: 'provider_unavailable' })
    const answer = Response.json({ message: 'Not found', code: 1003 }, { status: 404 })
    expect(await router({ fetch: () => Promise.resolve(answer) }).status(orderedHash)).toEqual({ status: 'not_found' })
  })
})

describe('a router in trouble', () => {
  const calls: [string, (of: ReturnType<typeof router>) => Promise<unknown>][] = [
    ['quoteExactOut', (of) => of.quoteExactOut(request())],
    ['status', (of) => of.status(unknownHash)],
  ]

  describe.each(calls)('at %s', (_name, call) => {
    it.each(['down', 'error', 'drop-answer'])(
      'says provider_unavailable in fault "%s", and works again after it',
      async (mode) => {
        await control('faults', { mode })
        await expect(call(router())).rejects.toMatchObject({ code: 'provider_unavailable' })
        await control('faults', { mode: 'ok' })
        expect(await call(router())).toBeDefined()
      },
    )

    it.each(['down', 'drop-answer'])('gets over two calls that end in "%s"', async (mode) => {
      await control('faults', { mode, times: 2 })
      expect(await call(router())).toBeDefined()
    })

    it('says provider_timeout when it is too slow, and waits for one that is slow', async () => {
      await control('faults', { mode: 'slow', ms: 60_000 })
      await expect(call(router({ timeoutMs: 40 }))).rejects.toMatchObject({ code: 'provider_timeout' })
      await control('faults', { mode: 'slow', ms: 20 })
      expect(await call(router())).toBeDefined()
    })
  })
})
