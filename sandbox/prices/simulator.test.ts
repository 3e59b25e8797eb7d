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

  it('answers both sides of a market, which are its price unless a spread is ordered', async () => {
    const book = async (symbol: string) =>
      (await (await fetch(`${simulator.url}/api/v3/ticker/bookTicker?symbol=${symbol}`)).json()) as object
    expect(await book('USDTBRL')).toMatchObject({ bidPrice: '5.42000000', askPrice: '5.42000000' })
    expect((await setPrice({ symbol: 'LINKBRL', price: '70', spread_percent: '2' })).status).toBe(200)
    expect(await book('LINKBRL')).toMatchObject({ bidPrice: '69.30000000', askPrice: '70.70000000' })
    expect((await setPrice({ symbol: 'LINKBRL', price: '70', spread_percent: 2 })).status).toBe(400)
  })

  it('is an exchange in reais too, which follows the first one until another price is ordered', async () => {
    const tickers = async (symbols: string) =>
      (await (await fetch(`${simulator.url}/api/v4/tickers?symbols=${symbols}`)).json()) as object[]
    expect(await tickers('USDT-BRL,BTC-BRL')).toMatchObject([
      { pair: 'USDT-BRL', buy: '5.42' },
      { pair: 'BTC-BRL', sell: '346880' },
    ])
    expect(await tickers('NOSUCH-BRL')).toEqual([])
    const order = (body: object) =>
      fetch(`${simulator.url}/sandbox/real-price`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
      })
    await order({ pair: 'USDT-BRL', price: '5.5' })
    expect(await tickers('USDT-BRL')).toMatchObject([{ last: '5.5' }])
    await order({ pair: 'USDT-BRL', price: null })
    expect(await tickers('USDT-BRL')).toEqual([])
    await order({ pair: 'USDT-BRL' })
    expect(await tickers('USDT-BRL')).toMatchObject([{ last: '5.42' }])
    expect((await order({ pair: 'USDT-USD', price: '1' })).status).toBe(400)
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
