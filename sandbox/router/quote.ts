import {
  createPublicClient,
  encodeFunctionData,
  getAddress,
  http,
  keccak256,
  numberToHex,
  stringToHex,
  type Address,
} from 'viem'
import { isValidAddress, type Chain, type EvmChain, type SolanaChain } from '../../chains/chain.js'
import { divide, fromBaseUnits, multiply, roundHalfUp, toBaseUnits } from '../../kernel/money.js'
import { sandboxRouterAbi } from '../anvil/seed.js'
import { sellOnSolana, type Deal } from './solana-seller.js'
import { lifiChainId, LifiError, lifiTokens, routerOf, type LifiToken } from './wire.js'

/** The router's fee, a quarter of a percent of what the payer sends. */
const FEE_BASIS_POINTS = 25n
const ALL_BASIS_POINTS = 10_000n
const PRICE_DECIMALS = 18
/** Above what `SandboxRouter.swap` takes with two token transfers; unused gas costs nothing. */
const GAS_LIMIT = 300_000n
const TOOL = 'sandbox'

/** What quotes are made from. */
export interface QuoteDeps {
  chains: readonly Chain[]
  /** The exchange's price of a market symbol such as `ETHUSDT`. */
  priceOf: (symbol: string) => string | undefined
  newId: () => string
  /** Whom the calls of a payer pay in place of the receiver, by the payer's address: what a router does that was broken into. */
  payees: ReadonlyMap<string, Address>
}

const PARAMETERS = ['fromChain', 'toChain', 'fromToken', 'toToken', 'fromAddress', 'toAddress', 'toAmount'] as const
type Parameters = Record<(typeof PARAMETERS)[number], string>

/**
 * A quote in LI.FI's form for the query of `GET /v1/quote/toAmount`. Throws a LifiError: 1011 for parameters that LI.FI
 * refuses, 1002 for what has no price or would need a bridge, 1012 while the chain cannot be asked for its gas price.
 */
export async function makeQuote(deps: QuoteDeps, query: unknown): Promise<Record<string, unknown>> {
  const asked = readParameters(query)
  const fromChain = findChain(deps, 'fromChain', asked.fromChain)
  const toChain = findChain(deps, 'toChain', asked.toChain)
  const fromToken = findLifiToken(fromChain, 'fromToken', asked.fromToken)
  const toToken = findLifiToken(toChain, 'toToken', asked.toToken)
  if (!isValidAddress(fromChain, asked.fromAddress)) throw invalid('fromAddress', 'is not a valid address')
  if (!isValidAddress(toChain, asked.toAddress)) throw invalid('toAddress', 'is not a valid address')
  if (!/^[1-9]\d{0,76}$/.test(asked.toAmount)) throw invalid('toAmount', 'must be a positive integer')

  const toAmount = BigInt(asked.toAmount)
  const fromAmount = inputFor(deps, fromToken, toToken, toAmount)
  if (fromAmount === undefined) throw noQuote()
  const id = `${deps.newId()}:0`
  const action = {
    fromToken,
    fromAmount: fromAmount.toString(),
    toToken,
    fromChainId: lifiChainId(fromChain),
    toChainId: lifiChainId(toChain),
    slippage: 0.005,
    fromAddress: asked.fromAddress,
    toAddress: asked.toAddress,
  }
  const told = { type: 'lifi', id, tool: TOOL, toolDetails: { key: TOOL, name: 'Sandbox swap', logoURI: '' }, action }
  const isNative = fromChain.nativeCoin.symbol === fromToken.symbol
  const deal = { id, fromToken, fromAmount, toToken, toAmount, from: asked.fromAddress, to: asked.toAddress }
  if (fromChain.family === 'solana') {
    if (fromToken.address === toToken.address) throw noQuote()
    return {
      ...told,
      estimate: estimateOf(deps, {
        fromToken,
        toToken,
        fromAmount,
        toAmount,
        gasPrice: 0n,
        isNative,
        router: undefined,
      }),
      includedSteps: [],
      integrator: 'lifi-api',
      transactionRequest: { data: await sold(fromChain, deal) },
    }
  }
  const router = routerOf(fromChain)
  if (!router || fromChain !== toChain || fromToken.address === toToken.address) throw noQuote()
  return { ...told, ...(await offerSwap(deps, fromChain, router, { ...deal, isNative })) }
}

/** What a payer on an EVM chain calls, at the router's contract. */
async function offerSwap(
  deps: QuoteDeps,
  fromChain: EvmChain,
  router: Address,
  { id, fromToken, fromAmount, toToken, toAmount, from, to, isNative }: Deal & { isNative: boolean },
): Promise<Record<string, unknown>> {
  const gasPrice = await askGasPrice(fromChain)
  const data = encodeFunctionData({
    abi: sandboxRouterAbi,
    functionName: 'swap',
    args: [
      address(fromToken.address),
      fromAmount,
      address(toToken.address),
      toAmount,
      deps.payees.get(from.toLowerCase()) ?? address(to),
      keccak256(stringToHex(id)),
    ],
  })
  return {
    estimate: estimateOf(deps, { fromToken, toToken, fromAmount, toAmount, gasPrice, isNative, router }),
    includedSteps: [],
    integrator: 'lifi-api',
    transactionRequest: {
      value: numberToHex(isNative ? fromAmount : 0n),
      to: router,
      data,
      from,
      chainId: lifiChainId(fromChain),
      gasPrice: numberToHex(gasPrice),
      gasLimit: numberToHex(GAS_LIMIT),
    },
  }
}

function address(value: string): Address {
  return getAddress(value.toLowerCase())
}

function invalid(parameter: string, what: string): LifiError {
  return new LifiError(1011, `/${parameter} ${what}`)
}

function noQuote(): LifiError {
  const message = 'No route was found for this action.'
  const toolError = { errorType: 'NO_QUOTE', code: 'NO_POSSIBLE_ROUTE', tool: TOOL, message } as const
  return new LifiError(1002, 'No available quotes for the requested transfer', [toolError])
}

function readParameters(query: unknown): Parameters {
  const given = (query ?? {}) as Partial<Record<string, unknown>>
  // LI.FI pays the sender where no other receiver is named.
  const complete = { ...given, toAddress: given['toAddress'] ?? given['fromAddress'] } as Partial<
    Record<string, unknown>
  >
  for (const name of PARAMETERS)
    if (typeof complete[name] !== 'string') throw invalid('', `must have required property '${name}'`)
  return complete as Parameters
}

function findChain({ chains }: QuoteDeps, parameter: string, value: string): Chain {
  const chain = chains.find((candidate) => String(lifiChainId(candidate)) === value)
  if (!chain) throw invalid(parameter, 'must be equal to one of the allowed values')
  return chain
}

function findLifiToken(chain: Chain, parameter: string, value: string): LifiToken {
  const same = (one: string) => (chain.family === 'evm' ? one.toLowerCase() === value.toLowerCase() : one === value)
  const token = lifiTokens(chain).find((candidate) => same(candidate.address) || candidate.symbol === value)
  if (!token) throw invalid(parameter, 'is not a known token on this chain')
  return token
}

/** A token's price in USDT as a fraction of integers, so that nothing is rounded before the end. */
function usdtPrice({ priceOf }: QuoteDeps, symbol: string): { over: bigint; under: bigint } | undefined {
  if (symbol === 'USDT') return { over: 1n, under: 1n }
  const one = 10n ** BigInt(PRICE_DECIMALS)
  const direct = priceOf(`${symbol}USDT`)
  if (direct !== undefined) return { over: toBaseUnits(direct, PRICE_DECIMALS), under: one }
  const inverse = priceOf(`USDT${symbol}`)
  return inverse === undefined ? undefined : { over: one, under: toBaseUnits(inverse, PRICE_DECIMALS) }
}

/** The input, rounded up to the base unit, that gives the output after the fee. */
function inputFor(deps: QuoteDeps, from: LifiToken, to: LifiToken, toAmount: bigint): bigint | undefined {
  const fromPrice = usdtPrice(deps, from.symbol)
  const toPrice = usdtPrice(deps, to.symbol)
  if (!fromPrice || !toPrice) return undefined
  const over = toAmount * 10n ** BigInt(from.decimals) * toPrice.over * fromPrice.under * ALL_BASIS_POINTS
  const under = 10n ** BigInt(to.decimals) * toPrice.under * fromPrice.over * (ALL_BASIS_POINTS - FEE_BASIS_POINTS)
  return (over + under - 1n) / under
}

function amountUsd(deps: QuoteDeps, token: LifiToken, amount: bigint): string {
  const price = usdtPrice(deps, token.symbol) ?? { over: 0n, under: 1n }
  const value = multiply(fromBaseUnits(amount, token.decimals), price.over.toString())
  return roundHalfUp(divide(value, price.under.toString(), PRICE_DECIMALS), 4)
}

function estimateOf(
  deps: QuoteDeps,
  quote: {
    fromToken: LifiToken
    toToken: LifiToken
    fromAmount: bigint
    toAmount: bigint
    gasPrice: bigint
    isNative: boolean
    /** Whom the payer has to allow the amount; nobody on Solana. */
    router: Address | undefined
  },
): Record<string, unknown> {
  const { fromToken, toToken, fromAmount, toAmount, gasPrice } = quote
  const fee = (fromAmount * FEE_BASIS_POINTS) / ALL_BASIS_POINTS
  return {
    tool: TOOL,
    ...(!quote.isNative && quote.router && { approvalAddress: quote.router }),
    fromAmount: fromAmount.toString(),
    toAmount: toAmount.toString(),
    toAmountMin: toAmount.toString(),
    fromAmountUSD: amountUsd(deps, fromToken, fromAmount),
    toAmountUSD: amountUsd(deps, toToken, toAmount),
    feeCosts: [
      {
        name: 'LIFI Fixed Fee',
        description: 'Fixed LIFI fee',
        token: fromToken,
        amount: fee.toString(),
        amountUSD: amountUsd(deps, fromToken, fee),
        percentage: '0.0025',
        included: true,
      },
    ],
    gasCosts: [
      {
        type: 'SEND',
        price: gasPrice.toString(),
        estimate: GAS_LIMIT.toString(),
        limit: GAS_LIMIT.toString(),
        amount: (gasPrice * GAS_LIMIT).toString(),
      },
    ],
    executionDuration: 0,
  }
}

async function sold(chain: SolanaChain, deal: Deal): Promise<string> {
  try {
    return await sellOnSolana(chain, deal)
  } catch {
    throw new LifiError(1012, 'Failed to reach the RPC of the chain')
  }
}

async function askGasPrice(chain: EvmChain): Promise<bigint> {
  try {
    return await createPublicClient({ transport: http(chain.rpcUrl, { retryCount: 0 }) }).getGasPrice()
  } catch {
    throw new LifiError(1012, 'Failed to reach the RPC of the chain')
  }
}
