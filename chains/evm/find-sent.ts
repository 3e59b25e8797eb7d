import { keccak256, serializeTransaction, TransactionNotFoundError, type Hex, type Transaction } from 'viem'
import { AppError } from '../../kernel/errors.js'
import type { EvmClient } from './client.js'
import { ask } from './rpc.js'

/** The hash of a transaction in lower case; undefined where a text is none. */
export function evmHash(text: string): Hex | undefined {
  return /^0x[0-9a-fA-F]{64}$/.test(text) ? (text.toLowerCase() as Hex) : undefined
}

/**
 * The signed bytes of a transaction that somebody else has sent, put together again from what a node shows of it. Their own
 * hash proves them, whatever the node says.
 * @returns undefined where the node does not know it
 * @throws AppError `confirm_rpc_unavailable`; `invalid_signed_transaction` where it is of a kind that is not read here
 */
export async function findSentEvm(client: EvmClient, hash: Hex): Promise<Hex | undefined> {
  const shown = await ask('confirm', async () => {
    try {
      return await client.getTransaction({ hash })
    } catch (error) {
      if (error instanceof TransactionNotFoundError) return undefined
      throw error
    }
  })
  if (!shown) return undefined
  const raw = serialized(shown)
  if (raw !== undefined && keccak256(raw) === hash) return raw
  throw new AppError('invalid_signed_transaction', { details: 'it is of a kind that is not taken' })
}

function serialized(shown: Transaction): Hex | undefined {
  const { to, input: data, value, nonce, gas, chainId = 0, r, s, v } = shown
  const common = { to, data, value, nonce, gas }
  try {
    switch (shown.type) {
      case 'legacy': {
        const { gasPrice } = shown
        return serializeTransaction(
          { ...common, type: 'legacy', gasPrice, ...(chainId > 0 && { chainId }) },
          { r, s, v },
        )
      }
      case 'eip2930': {
        const { gasPrice, accessList, yParity } = shown
        return serializeTransaction({ ...common, type: 'eip2930', chainId, gasPrice, accessList }, { r, s, yParity })
      }
      case 'eip1559': {
        const { maxFeePerGas, maxPriorityFeePerGas, accessList, yParity } = shown
        const fees = { maxFeePerGas, maxPriorityFeePerGas }
        return serializeTransaction({ ...common, type: 'eip1559', chainId, ...fees, accessList }, { r, s, yParity })
      }
      default:
        return undefined
    }
  } catch {
    return undefined
  }
}
