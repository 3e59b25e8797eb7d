import { encodeFunctionData, erc20Abi, hexToBigInt, hexToNumber, isHex, type Hex } from 'viem'
import { AppError } from '../../kernel/errors.js'
import type { EvmChain } from '../chain.js'
import type { RpcAnswer } from '../nodes/json-rpc.js'
import { askInParts } from './batch.js'
import type { EvmClient } from './client.js'
import { finalizedCall, finalizedIn } from './finalized-tag.js'
import { GAS_PRICE_ORACLE } from './gas-price-oracle.js'

const DECIMALS_CALL = encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' })

/**
 * What the settings of a chain say that the chain itself does not: its id, that each token's address has code and counts in so many
 * decimals, that a rollup tells what publishing costs, and that its nodes tell which block is final, unless the settings say how deep it lies. A token that does not tell its
 * decimals is taken at the settings' word.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function checkEvmChain(
  client: EvmClient,
  { chainId, tokens, finalityBlocks, rollup }: Pick<EvmChain, 'chainId' | 'tokens' | 'finalityBlocks' | 'rollup'>,
): Promise<string[]> {
  const all = Object.entries(tokens)
  const calls = [
    { method: 'eth_chainId', params: [] },
    finalizedCall,
    ...all.flatMap(([, { address }]) => [
      { method: 'eth_getCode', params: [address, 'latest'] },
      { method: 'eth_call', params: [{ to: address, data: DECIMALS_CALL }, 'latest'] },
    ]),
    ...(rollup === undefined ? [] : [{ method: 'eth_getCode', params: [GAS_PRICE_ORACLE, 'latest'] }]),
  ]
  const [told, finalized, ...answers] = (await askInParts(client, calls)).flatMap((part) => part.answers)
  const id = hexIn(told)
  const problems = id !== undefined && hexToNumber(id) !== chainId ? [`chainId is ${hexToNumber(id)} there`] : []
  for (const [index, [symbol, { decimals }]] of all.entries()) {
    const [code, shown] = [hexIn(answers[index * 2]), hexIn(answers[index * 2 + 1])]
    if (code === '0x') problems.push(`${symbol} has no code at its address`)
    else if (shown?.length === 66 && hexToBigInt(shown) !== BigInt(decimals)) {
      problems.push(`${symbol} has ${hexToBigInt(shown)} decimals there`)
    }
  }
  if (hexIn(answers[all.length * 2]) === '0x') problems.push('it is no rollup: nothing tells what publishing costs')
  if (finalityBlocks === undefined && !tellsFinalBlock(client, finalized)) {
    problems.push('its nodes do not tell which block is final, and finalityBlocks is not set')
  }
  return problems
}

/** Whether it is known which blocks are final, be it by their depth where the nodes do not know the tag. */
function tellsFinalBlock(client: EvmClient, answer: RpcAnswer | undefined): boolean {
  try {
    finalizedIn(client, answer)
    return true
  } catch (error) {
    if (!(error instanceof AppError)) throw error
    return false
  }
}

function hexIn(answer: RpcAnswer | undefined): Hex | undefined {
  return answer && 'result' in answer && isHex(answer.result) ? answer.result : undefined
}
