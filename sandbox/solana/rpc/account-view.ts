import bs58 from 'bs58'
import type { ChainAccount, Svm } from '../svm.js'
import { readHolding, readMint, uiAmount } from '../token-accounts.js'
import type { Config } from './params.js'
import { invalidParams, RpcError } from './rpc-error.js'

/** No rent is collected from an account that is exempt, so its epoch is the largest u64. */
const RENT_EPOCH = Number(2n ** 64n - 1n)
/** Base58 is quadratic: a node refuses more than this. */
const BASE58_MAX_BYTES = 128

/**
 * An account as JSON-RPC shows it.
 * @param config `encoding` and `dataSlice` as the caller sent them
 */
export function accountView(svm: Svm, account: ChainAccount, config: Config): object {
  const { encoding = 'binary', dataSlice } = config as { encoding?: unknown; dataSlice?: unknown }
  return {
    lamports: Number(account.lamports),
    owner: account.owner,
    executable: account.executable,
    rentEpoch: RENT_EPOCH,
    space: account.data.length,
    data: encodeData(svm, account, encoding, slice(account.data, dataSlice)),
  }
}

function encodeData(svm: Svm, account: ChainAccount, encoding: unknown, data: Uint8Array): unknown {
  const base64 = (): unknown => [Buffer.from(data).toString('base64'), 'base64']
  if (encoding === 'base64') return base64()
  if (encoding === 'jsonParsed') return parsedData(svm, account) ?? base64()
  if (encoding === 'binary' || encoding === 'base58') {
    if (data.length > BASE58_MAX_BYTES) {
      const message = 'Encoded binary (base 58) data should be less than 128 bytes, please use Base64 encoding.'
      throw new RpcError(-32600, message)
    }
    return encoding === 'binary' ? bs58.encode(data) : [bs58.encode(data), 'base58']
  }
  throw invalidParams(`Invalid params: unknown variant \`${String(encoding)}\``)
}

function slice(data: Uint8Array, dataSlice: unknown): Uint8Array {
  if (dataSlice === undefined || dataSlice === null) return data
  const { offset, length } = dataSlice as { offset?: unknown; length?: unknown }
  if (typeof offset !== 'number' || typeof length !== 'number') throw invalidParams('Invalid params: dataSlice')
  return data.subarray(offset, offset + length)
}

/** Token accounts and mints in JSON; a node parses more programs, and gives base64 for the rest as well. */
function parsedData(svm: Svm, account: ChainAccount): unknown {
  const space = account.data.length
  const holding = readHolding(account)
  if (holding) {
    const { mint, owner, amount, state, delegate } = holding
    const decimals = readMint(svm.account(mint))?.decimals ?? 0
    const tokenAmount = uiAmount(amount, decimals)
    const info = { mint, owner, state, isNative: false, tokenAmount, ...(delegate !== undefined && { delegate }) }
    return { program: 'spl-token', parsed: { type: 'account', info }, space }
  }
  const mint = readMint(account)
  if (!mint) return undefined
  const info = { decimals: mint.decimals, supply: mint.supply.toString(), isInitialized: true }
  return { program: 'spl-token', parsed: { type: 'mint', info }, space }
}
