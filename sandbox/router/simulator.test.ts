import { describe, expect, it } from 'vitest'
import type { EvmChain } from '../../chains/chain.js'
import { IDLE_CHAIN } from '../../test/harness/chains.js'
import { startRouterSimulator } from './simulator.js'
import { ending } from '../../test/harness/at-end.js'
import { deadUrl } from '../../test/harness/serve.js'

const usdt = '0x5555555555555555555555555555555555555555'
const odd = '0x7777777777777777777777777777777777777777'
const wallet = '0x1111111111111111111111111111111111111111'

const chain: EvmChain = {
  ...IDLE_CHAIN,
  chainId: 137,
  rpcUrl: await deadUrl(),
  tokens: { USDT: { address: usdt, decimals: 6 }, ODD: { address: odd, decimals: 6 } },
  routers: ['0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE'],
}
const elsewhere: EvmChain = { ...chain, name: 'base', chainId: 8453 }
const priceOf = (symbol: string) => (symbol === 'POLUSDT' ? '0.5' : undefined)
const simulator = ending(await startRouterSimulator({ port: 0, chains: [chain, elsewhere], priceOf }))

const good = {
  fromChain: '137',
  toChain: '137',
  fromToken: '0x0000000000000000000000000000000000000000',
  toToken: usdt,
  fromAddress: wallet,
  toAddress: wallet,
  toAmount: '25000000',
}
const get = async (path: string, query: Record<string, string>) => {
  const answer = await fetch(`${simulator.url}${path}?${new URLSearchParams(query).toString()}`)
  return { status: answer.status, body: (await answer.json()) as unknown }
}
const quote = (change: Record<string, string>) => get('/v1/quote/toAmount', { ...good, ...change })

describe('the router simulator', () => {
  it('refuses unknown chains and tokens, wrong addresses and amounts with 1011', async () => {
    const wrong: Record<string, string>[] = [
      { fromChain: '1' },
      { toChain: 'polygon2' },
      { fromToken: wallet },
      { toToken: wallet },
      { fromAddress: '0x1' },
      { toAddress: good.fromToken },
      { toAmount: '0' },
      { toAmount: '-5' },
      { toAmount: '1.5' },
      { toAmount: '' },
    ]
    for (const change of wrong) expect(await quote(change)).toMatchObject({ status: 400, body: { code: 1011 } })
    for (const name of Object.keys(good).filter((key) => key !== 'toAddress')) {
      const query = Object.fromEntries(Object.entries(good).filter(([key]) => key !== name))
      expect(await get('/v1/quote/toAmount', query), name).toMatchObject({ status: 400, body: { code: 1011 } })
    }
    expect(await get('/v1/status', { txHash: '0x12' })).toMatchObject({ status: 400, body: { code: 1011 } })
    expect(await get('/v1/status', {})).toMatchObject({ status: 400, body: { code: 1011 } })
  })

  it('has no quote, 1002, for another chain, the same token, and a token without a price', async () => {
    for (const change of [{ toChain: '8453' }, { fromToken: usdt }, { toToken: odd }]) {
      const errors = [{ errorType: 'NO_QUOTE', code: 'NO_POSSIBLE_ROUTE' }]
      expect(await quote(change)).toMatchObject({ status: 404, body: { code: 1002, errors } })
    }
  })

  it('says 1012 while the chain cannot be reached', async () => {
    expect(await quote({})).toMatchObject({ status: 502, body: { code: 1012 } })
    expect(await get('/v1/status', { txHash: `0x${'1'.repeat(64)}` })).toMatchObject({
      status: 502,
      body: { code: 1012 },
    })
  })

  it('takes only outcomes that LI.FI has', async () => {
    for (const body of [{}, { status: 'done' }, { status: 'DONE', substatus: 1 }]) {
      const answer = await fetch(`${simulator.url}/sandbox/router/0x12`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
      expect(answer.status).toBe(400)
    }
  })
})
