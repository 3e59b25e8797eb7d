import { decodeFunctionResult, encodeFunctionData, erc20Abi, numberToHex, type Address, type Hex } from 'viem'
import { AppError } from '../../kernel/errors.js'
import { shortReason } from '../ask.js'
import type { EvmAsset } from '../chain.js'
import { payerLacks } from '../payer-lacks.js'
import type { EvmClient } from './client.js'
import { findForeignMove, nativeReceived, type SimulatedLog } from './moved-tokens.js'
import { ask, rpcFailure } from './rpc.js'
import type { EvmCall } from './transfer-call.js'

/** What a router's call may take, and what it has to bring. */
export interface EvmRouteBounds {
  payer: Address
  /** What the payer pays with, and the most that may be taken of it, in base units. */
  asset: EvmAsset
  symbol: string
  amountIn: bigint
  /** Who is allowed `amountIn` of the token before the call; absent for the native coin. */
  spender?: Address | undefined
  gasLimit: bigint
  /** Absent where it arrives on another chain. */
  due?: { asset: EvmAsset; receiver: Address; amount: bigint } | undefined
}

interface SimulatedCall {
  status: Hex
  returnData: Hex
  logs?: readonly SimulatedLog[]
  error?: { message?: string }
}

type Call = { from: Address; to: Address; data: Hex; value?: Hex; gas?: Hex }

/**
 * Looks whether a router's call takes no more than was agreed and brings what is due: it is run without being sent
 * (`eth_simulateV1`), behind the approval that it needs. The balances that matter are read before and after it in the same run, and
 * its logs tell what else would leave the payer, or could later. What the contracts would do on another day it cannot tell.
 * @returns what is wrong with it, as a short name; undefined where it may be handed out
 * @throws AppError validation_error on `payerWallet` where the payer has too little of the token, broadcast_simulation_failed where
 *   the call would revert, `provider_unavailable` (also where the node cannot simulate), `provider_timeout`
 */
export async function findEvmRouteViolation(
  client: EvmClient,
  call: EvmCall,
  bounds: EvmRouteBounds,
): Promise<string | undefined> {
  const { payer, asset, symbol, amountIn, spender, gasLimit, due } = bounds
  const paid = asset.kind === 'token' ? [balanceOf(asset.address, payer)] : []
  const arrived = due?.asset.kind === 'token' ? [balanceOf(due.asset.address, due.receiver)] : []
  // Some tokens let an allowance be changed from nothing only.
  const approvals =
    asset.kind === 'token' && spender
      ? [0n, amountIn].map((amount) => approve(payer, asset.address, spender, amount))
      : []
  const route = {
    from: payer,
    to: call.to,
    data: call.data,
    value: numberToHex(call.value),
    gas: numberToHex(gasLimit),
  }
  const ahead = [...paid, ...arrived, ...approvals]
  const ran = await simulate(client, [...ahead, route, ...paid, ...arrived])
  const [first, routed, last] = [ran.slice(0, ahead.length), ran[ahead.length], ran.slice(ahead.length + 1)]
  const [hadToken] = first.map(balanceIn)
  if (paid.length > 0 && (hadToken ?? 0n) < amountIn) throw payerLacks(`${symbol} balance`)
  const failed = ran.find(({ status }) => status !== '0x1')
  if (failed) throw new AppError('broadcast_simulation_failed', { details: shortReason(failed.error?.message ?? '') })
  const logs = routed?.logs ?? []
  const changes = [...paid, ...arrived].map((_, index) => balanceIn(last[index]) - balanceIn(first[index]))
  if (paid.length > 0 && -(changes[0] ?? 0n) > amountIn) return 'amountIn'
  if (due) {
    const got = arrived.length > 0 ? (changes.at(-1) ?? 0n) : nativeReceived(logs, due.receiver)
    if (got < due.amount) return 'amountOut'
  }
  const own = asset.kind === 'token' ? { token: asset.address, spender } : undefined
  return findForeignMove(logs, payer, own)
}

function balanceOf(token: Address, owner: Address): Call {
  return {
    from: owner,
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'balanceOf', args: [owner] }),
  }
}

function approve(from: Address, token: Address, spender: Address, amount: bigint): Call {
  return {
    from,
    to: token,
    data: encodeFunctionData({ abi: erc20Abi, functionName: 'approve', args: [spender, amount] }),
  }
}

/** What `balanceOf` has answered. */
function balanceIn(call: SimulatedCall | undefined): bigint {
  if (!call || call.status !== '0x1') return 0n
  // Where no contract is, a call succeeds and answers nothing.
  if (call.returnData === '0x') throw new AppError('provider_unavailable')
  return decodeFunctionResult({ abi: erc20Abi, functionName: 'balanceOf', data: call.returnData })
}

async function simulate(client: EvmClient, calls: readonly Call[]): Promise<readonly SimulatedCall[]> {
  const params = [{ blockStateCalls: [{ calls }], traceTransfers: true }, 'latest']
  try {
    const blocks = (await ask('build', () =>
      client.request({ method: 'eth_simulateV1', params } as never),
    )) as readonly { calls?: readonly SimulatedCall[] }[]
    const [block] = blocks
    if (block?.calls?.length === calls.length) return block.calls
  } catch (error) {
    // Whatever the node refuses: nothing is handed out that was not tried.
    if (rpcFailure(error)?.kind !== 'refused') throw error
  }
  throw new AppError('provider_unavailable')
}
