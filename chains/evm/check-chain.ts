import { encodeFunctionData, erc20Abi, hexToBigInt, hexToNumber, isHex, type Hex } from 'viem'
import type { EvmChain } from '../chain.js'
import type { RpcAnswer } from '../nodes/json-rpc.js'
import { askInParts } from './batch.js'
import type { EvmClient } from './client.js'

const DECIMALS_CALL = encodeFunctionData({ abi: erc20Abi, functionName: 'decimals' })

/**
 * What the settings of a chain say that the chain itself does not: its id, and that each token's address has code and counts
 * in so many decimals. A token that does not tell its decimals is taken at the settings' word.
 * @throws AppError `confirm_rpc_unavailable`
 */
export async function checkEvmChain(
  client: EvmClient,
  { chainId, tokens }: Pick<EvmChain, 'chainId' | 'tokens'>,
): Promise<string[]> {
  const all = Object.entries(tokens)
  const calls = [
    { method: 'eth_chainId', params: [] },
    ...all.flatMap(([, { address }]) => [
      { method: 'eth_getCode', params: [address, 'latest'] },
      { method: 'eth_call', params: [{ to: address, data: DECIMALS_CALL }, 'latest'] },
    ]),
  ]
  const [told, ...answers] = (await askInParts(client, calls)).flatMap((part) => part.answers)
  const id = hexIn(told)
  const problems = id !== undefined && hexToNumber(id) !== chainId ? [`chainId is ${hexToNumber(id)} there`] : []
  for (const [index, [symbol, { decimals }]] of all.entries()) {
    const [code, shown] = [hexIn(answers[index * 2]), hexIn(answers[index * 2 + 1])]
    if (code === '0x') problems.push(`${symbol} has no code at its address`)
    else if (shown?.length === 66 && hexToBigInt(shown) !== BigInt(decimals)) {
      problems.push(`${symbol} has ${hexToBigInt(shown)} decimals there`)
    }
  }
  return problems
}

function hexIn(answer: RpcAnswer | undefined): Hex | undefined {
  return answer && 'result' in answer && isHex(answer.result) ? answer.result : undefined
}
