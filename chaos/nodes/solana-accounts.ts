import bs58 from 'bs58'
import type { SlotView } from './solana-view.js'

/** What an account held at a slot, where that is another amount than now. */
interface EarlierHolding {
  /** 0: the account was not there. */
  lamports: number
  token: TokenAmount | undefined
  /** What a nonce account held that the later transaction has used up. */
  nonce: string | undefined
}

interface TokenAmount {
  amount: string
}

interface AccountView {
  lamports: number
  data: unknown
}

/** As much of `getTransaction`'s answer as tells what was there before it. */
interface Landed {
  transaction: {
    message: { accountKeys: string[]; recentBlockhash: string; instructions: { accounts: number[]; data: string }[] }
  }
  meta: {
    preBalances: number[]
    preTokenBalances: { accountIndex: number; uiTokenAmount: TokenAmount }[]
    loadedAddresses: { writable: string[]; readonly: string[] }
  }
}

const TOKEN_AMOUNT_OFFSET = 64
/** An account with a durable nonce (solana-nonce: state). */
const NONCE_ACCOUNT_BYTES = 80
const NONCE_OFFSET = 40
/** The system program's AdvanceNonceAccount, as a node shows its data. */
const ADVANCE_DATA = bs58.encode([4, 0, 0, 0])

/**
 * What an account held at the node's slot: what it held before the first later transaction that names it.
 * @returns undefined where no later one does, or where nobody recorded it (an airdrop)
 */
async function holdingAt({ read, processed }: SlotView, address: string): Promise<EarlierHolding | undefined> {
  const named = (await read('getSignaturesForAddress', [address, { limit: 1_000 }])) as {
    signature: string
    slot: number
  }[]
  const first = named.findLast(({ slot }) => slot > processed)
  if (!first) return undefined
  const config = { encoding: 'json', maxSupportedTransactionVersion: 0 }
  const landed = (await read('getTransaction', [first.signature, config])) as Landed | null
  if (!landed) return undefined
  const { preBalances, preTokenBalances, loadedAddresses } = landed.meta
  const keys = [...landed.transaction.message.accountKeys, ...loadedAddresses.writable, ...loadedAddresses.readonly]
  const index = keys.indexOf(address)
  const token = preTokenBalances.find(({ accountIndex }) => accountIndex === index)?.uiTokenAmount
  const { recentBlockhash, instructions } = landed.transaction.message
  const isUsedUp = instructions[0]?.data === ADVANCE_DATA && instructions[0].accounts[0] === index
  return { lamports: preBalances[index] ?? 0, token, nonce: isUsedUp ? recentBlockhash : undefined }
}

/** A balance in lamports at the node's slot. */
export async function lamportsAt(view: SlotView, address: string, now: unknown): Promise<unknown> {
  return (await holdingAt(view, address))?.lamports ?? now
}

/** A token account's amount at the node's slot; null where it was not there. */
export async function tokenAmountAt(view: SlotView, address: string, now: unknown): Promise<unknown> {
  const earlier = await holdingAt(view, address)
  return earlier?.lamports === 0 ? null : (earlier?.token ?? now)
}

/**
 * An account at the node's slot: lamports, whether it was there, a token account's amount, and a nonce that was used up since. What other programs keep
 * in their accounts is not recorded anywhere, and is shown as it is now.
 */
export async function accountAt(view: SlotView, address: string, now: AccountView | null): Promise<AccountView | null> {
  const earlier = await holdingAt(view, address)
  if (!earlier || now === null) return now
  if (earlier.lamports === 0) return null
  const { lamports, token, nonce } = earlier
  const data = token ? withAmount(now.data, token) : nonce === undefined ? now.data : withNonce(now.data, nonce)
  return { ...now, lamports, data }
}

/** A nonce account's data with another nonce; as it is where something else was asked for. */
function withNonce(data: unknown, nonce: string): unknown {
  if (!Array.isArray(data) || data[1] !== 'base64') return data
  const bytes = Buffer.from(String(data[0]), 'base64')
  if (bytes.length !== NONCE_ACCOUNT_BYTES) return data
  bytes.set(bs58.decode(nonce), NONCE_OFFSET)
  return [bytes.toString('base64'), 'base64']
}

/** A token account's data with another amount; as it is where only a part of it was asked for. */
function withAmount(data: unknown, token: TokenAmount): unknown {
  if (Array.isArray(data) && data[1] === 'base64') {
    const bytes = Buffer.from(String(data[0]), 'base64')
    if (bytes.length < 165) return data
    bytes.writeBigUInt64LE(BigInt(token.amount), TOKEN_AMOUNT_OFFSET)
    return [bytes.toString('base64'), 'base64']
  }
  const { parsed } = (data ?? {}) as { parsed?: { info?: object } }
  if (!parsed?.info) return data
  return { ...(data as object), parsed: { ...parsed, info: { ...parsed.info, tokenAmount: token } } }
}
