import { describe, expect, it } from 'vitest'
import { startPriceSimulator } from './simulator.js'
import { ending } from '../../test/harness/at-end.js'

const simulator = ending(await startPriceSimulator({ port: 0 }))

const ticker = async (query: string) => {
  const answer = await fetch(`${simulator.url}/api/v3/ticker/price${query}`)
  return { status: answer.status, body: (await answer.json()) as unknown }
}
const setPrice = async (body: unknown) =>
  fetch(`${simulator.url}/sandbox/price`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  })

describe('the exchange simulator', () => {
  it('answers one market, or all of them, with eight decimals', async () => {
    expect(await ticker('?symbol=USDTBRL')).toEqual({ status: 200, body: { symbol: 'USDTBRL', price: '5.42000000' } })
    for (const symbol of ['USDCUSDT', 'ETHUSDT', 'BTCUSDT', 'POLUSDT', 'SOLUSDT', 'ETHBRL', 'BTCBRL']) {
      expect(await ticker(`?symbol=${symbol}`)).toMatchObject({ status: 200, body: { symbol } })
    }
    expect((await ticker('')).body).toContainEqual({ symbol: 'ETHBRL', price: '18250.50000000' })
  })

  it('refuses what the exchange refuses, in its words', async () => {
    expect(await ticker('?symbol=BRLUSDT')).toEqual({ status: 400, body: { code: -1121, msg: 'Invalid symbol.' } })
    for (const query of [
      '?symbol=',
      '?symbol=ethbrl',
      '?symbol=ETH/BRL',
      `?symbol=${'A'.repeat(21)}`,
      '?symbol=A&symbol=B',
    ]) {
      expect(await ticker(query), query).toMatchObject({ status: 400, body: { code: -1100 } })
    }
  })

  it('has no market in US dollars, as the exchange, and lets nobody open one', async () => {
    for (const symbol of ['USDTUSD', 'USDCUSD', 'BTCUSD', 'USDBRL']) {
      expect(await ticker(`?symbol=${symbol}`)).toEqual({ status: 400, body: { code: -1121, msg: 'Invalid symbol.' } })
    }
    for (const symbol of ['USDTUSD', 'BTCUSD']) expect((await setPrice({ symbol, price: '1' })).status).toBe(400)
    expect((await setPrice({ symbol: 'BTCFDUSD', price: '64000' })).status).toBe(200)
    const all = (await ticker('')).body as { symbol: string }[]
    expect(all.filter(({ symbol }) => /(?<!FD)USD$/.test(symbol))).toEqual([])
  })

  it('takes new prices, also of new markets, and nothing that is no price', async () => {
    expect((await setPrice({ symbol: 'LINKBRL', price: '70.12345678' })).status).toBe(200)
    expect((await ticker('?symbol=LINKBRL')).body).toEqual({ symbol: 'LINKBRL', price: '70.12345678' })
    expect(simulator.price('LINKBRL')).toBe('70.12345678')
    for (const price of ['0', '-1', '1e3', '70.123456789', 70, undefined]) {
      expect((await setPrice({ symbol: 'LINKBRL', price })).status).toBe(400)
    }
    expect((await setPrice({ symbol: 'link', price: '1' })).status).toBe(400)
    expect(simulator.price('LINKBRL')).toBe('70.12345678')
  })
})
