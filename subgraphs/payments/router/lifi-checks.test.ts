import { pino } from 'pino'
import { describe, expect, it } from 'vitest'
import { systemClock } from '../../../kernel/clock.js'
import { findLifiViolations } from './lifi-checks.js'
import { readLifiQuote } from './lifi-wire.js'
import { createLifiRouter } from './lifi.js'
import type { RouteRequest } from './router.js'

const payer = '0xAb11111111111111111111111111111111111111'
const receiver = '0x2222222222222222222222222222222222222222'
const diamond = '0x1231DEB6f5749EF6cE6943a275A1D3E7486F4EaE'
const usdt = '0x5555555555555555555555555555555555555555'
const usdc = '0x6666666666666666666666666666666666666666'
const native = '0x0000000000000000000000000000000000000000'
const other = '0x9999999999999999999999999999999999999999'

type Json = Record<string, unknown>
interface Answer {
  id: string
  tool: string
  action: Json
  estimate: Json
  transactionRequest: Json
}
type Change = (answer: Answer) => unknown

/** 25 USDT for the receiver, paid with `fromToken`, as LI.FI answers it. */
function answer(fromToken: string, change: Change = () => undefined): Answer {
  const isNative = fromToken === native
  const quote: Answer = {
    id: 'q-1:0',
    tool: 'relay',
    action: {
      fromChainId: 137,
      toChainId: 137,
      fromToken: { address: fromToken },
      toToken: { address: usdt },
      fromAddress: payer.toLowerCase(),
      toAddress: receiver,
    },
    estimate: {
      fromAmount: '1000',
      toAmount: '25000001',
      toAmountMin: '25000000',
      feeCosts: [],
      ...(!isNative && { approvalAddress: diamond.toLowerCase() }),
    },
    transactionRequest: {
      chainId: 137,
      from: payer,
      to: diamond,
      data: '0xabcdef01',
      gasLimit: '0x493e0',
      gasPrice: '0x1',
      value: isNative ? '0x3e8' : '0x0',
    },
  }
  change(quote)
  return quote
}

const request: RouteRequest = {
  fromChainId: 137,
  toChain: { family: 'evm', chainId: 137 },
  toTokenAddress: usdt,
  payer,
  receiver,
  amountOut: 25_000_000n,
  allowedTargets: [diamond],
}
const withToken = { ...request, fromTokenAddress: usdc }
const violations = (asked: RouteRequest, change?: Change) =>
  findLifiViolations(asked, readLifiQuote(answer(asked.fromTokenAddress ?? native, change)))

describe('an offer', () => {
  it('passes when it is what was asked for, addresses in any case', () => {
    expect(violations(request)).toEqual([])
    expect(violations(withToken)).toEqual([])
  })

  it.each<[string, Change, string]>([
    ['another contract is called', (quote) => (quote.transactionRequest['to'] = other), 'transactionRequest.to'],
    ['it is for another chain', (quote) => (quote.transactionRequest['chainId'] = 1), 'transactionRequest.chainId'],
    ['somebody else sends it', (quote) => (quote.transactionRequest['from'] = other), 'transactionRequest.from'],
    ['it calls nothing', (quote) => (quote.transactionRequest['data'] = '0x'), 'transactionRequest.data'],
    [
      'it sends more coin than it says',
      (quote) => (quote.transactionRequest['value'] = '0x3e9'),
      'transactionRequest.value',
    ],
    [
      'it sends less coin than it says',
      (quote) => (quote.transactionRequest['value'] = '0x3e7'),
      'transactionRequest.value',
    ],
    ['somebody else is paid', (quote) => (quote.action['toAddress'] = other), 'action.toAddress'],
    ['somebody else is the payer', (quote) => (quote.action['fromAddress'] = other), 'action.fromAddress'],
    ['another token is paid', (quote) => (quote.action['toToken'] = { address: other }), 'action.toToken'],
    ['another token is taken', (quote) => (quote.action['fromToken'] = { address: other }), 'action.fromToken'],
    ['it is paid on another chain', (quote) => (quote.action['toChainId'] = 1), 'action.toChainId'],
    ['it is taken on another chain', (quote) => (quote.action['fromChainId'] = 1), 'action.fromChainId'],
    ['less than is due may arrive', (quote) => (quote.estimate['toAmountMin'] = '24999999'), 'estimate.toAmountMin'],
    ['it promises less than its minimum', (quote) => (quote.estimate['toAmount'] = '24999999'), 'estimate.toAmountMin'],
  ])('is refused when %s', (_name, change, violation) => {
    expect(violations(request, change)).toEqual([violation])
  })

  it('is refused when it takes nothing, or more than the caller allows', () => {
    const nothing: Change = (quote) => {
      quote.estimate['fromAmount'] = '0'
      quote.transactionRequest['value'] = '0x0'
    }
    expect(violations(request, nothing)).toEqual(['estimate.fromAmount'])
    expect(violations({ ...withToken, amountInMax: 1000n })).toEqual([])
    expect(violations({ ...withToken, amountInMax: 999n })).toEqual(['estimate.fromAmount'])
  })

  it('is refused when a token payment also takes coin, or lets another contract take the token', () => {
    expect(violations(withToken, (quote) => (quote.transactionRequest['value'] = '0x1'))).toEqual([
      'transactionRequest.value',
    ])
    const spender: Change[] = [
      (quote) => (quote.estimate['approvalAddress'] = other),
      (quote) => delete quote.estimate['approvalAddress'],
    ]
    for (const change of spender) expect(violations(withToken, change)).toEqual(['estimate.approvalAddress'])
  })

  it('may send coin beyond the amount only for fees in coin that it declares, within what the caller allows', () => {
    const withFee = (value: string, fee: Json): Change => {
      return (quote) => {
        quote.estimate['feeCosts'] = [{ included: false, amount: '24', token: { address: native }, ...fee }]
        quote.transactionRequest['value'] = value
      }
    }
    expect(violations(request, withFee('0x400', {}))).toEqual([])
    const refused = ['transactionRequest.value']
    expect(violations(request, withFee('0x401', {}))).toEqual(refused)
    expect(violations(request, withFee('0x400', { included: true }))).toEqual(refused)
    expect(violations(request, withFee('0x400', { token: { address: usdc } }))).toEqual(refused)
    expect(violations({ ...request, amountInMax: 1023n }, withFee('0x400', {}))).toEqual(refused)
  })

  it('for Solana compares addresses exactly', () => {
    const mint = 'EPjFWdd5AufqSSqeM2qN1xzybapC8G4wEGGkZwyTDt1v'
    const asked: RouteRequest = { ...request, toChain: { family: 'solana' }, toTokenAddress: mint, receiver: mint }
    const offer = (address: string): Change => {
      return (quote) =>
        Object.assign(quote.action, { toChainId: 1151111081099710, toToken: { address }, toAddress: address })
    }
    expect(violations(asked, offer(mint))).toEqual([])
    expect(violations(asked, offer(mint.toLowerCase()))).toEqual(['action.toToken', 'action.toAddress'])
  })
})

describe('the adapter', () => {
  const lines: string[] = []
  const sink = { write: (line: string) => void lines.push(line) }
  const quote = (change: Change) => {
    const fetch = () => Promise.resolve(Response.json(answer(native, change)))
    return createLifiRouter({
      baseUrl: 'https://li.quest',
      timeoutMs: 1000,
      log: pino({}, sink),
      clock: systemClock,
      fetch,
    }).quoteExactOut(request)
  }

  it('hands out no offer that breaks a rule, and logs which', async () => {
    expect(await quote(() => undefined)).toMatchObject({ amountIn: 1000n, tx: { to: diamond, gasLimit: 300_000n } })
    await expect(quote((offer) => (offer.transactionRequest['to'] = other))).rejects.toMatchObject({
      code: 'provider_unavailable',
    })
    expect(lines.at(-1)).toContain('"violations":["transactionRequest.to"]')
  })

  it.each<[string, Change]>([
    ['a field is missing', (offer) => delete offer.transactionRequest['gasLimit']],
    ['an amount is no integer', (offer) => (offer.estimate['toAmount'] = '25000000.5')],
    ['an amount is a number', (offer) => (offer.estimate['fromAmount'] = 1000)],
    ['an amount is negative', (offer) => (offer.transactionRequest['value'] = '-0x1')],
  ])('takes an answer as none when %s', async (_name, change) => {
    await expect(quote(change)).rejects.toMatchObject({ code: 'provider_unavailable', cause: { kind: 'protocol' } })
  })
})
