import bs58 from 'bs58'
import type { ChainAccount } from './svm.js'

export const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA'
export const TOKEN_2022_PROGRAM = 'TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb'

/** An account of a token's holder, read from its bytes (spl-token: state::Account, 165 bytes, more with extensions). */
export interface TokenHolding {
  mint: string
  owner: string
  amount: bigint
  delegate: string | undefined
  state: 'uninitialized' | 'initialized' | 'frozen'
}

/** A token's own account (spl-token: state::Mint, 82 bytes). */
export interface TokenMint {
  supply: bigint
  decimals: number
}

const ACCOUNT_BYTES = 165
const MINT_BYTES = 82

/** Reads a token account. @returns undefined where the account is none */
export function readHolding(account: ChainAccount | undefined): TokenHolding | undefined {
  if (!account || !isTokenProgram(account.owner) || account.data.length < ACCOUNT_BYTES) return undefined
  const data = Buffer.from(account.data)
  // With extensions the byte behind the base tells a token account (2) from a mint (1).
  if (data.length > ACCOUNT_BYTES && data[ACCOUNT_BYTES] !== 2) return undefined
  return {
    mint: bs58.encode(data.subarray(0, 32)),
    owner: bs58.encode(data.subarray(32, 64)),
    amount: data.readBigUInt64LE(64),
    delegate: data.readUInt32LE(72) === 1 ? bs58.encode(data.subarray(76, 108)) : undefined,
    state: data[108] === 1 ? 'initialized' : data[108] === 2 ? 'frozen' : 'uninitialized',
  }
}

/** Reads a mint. @returns undefined where the account is none */
export function readMint(account: ChainAccount | undefined): TokenMint | undefined {
  if (!account || !isTokenProgram(account.owner)) return undefined
  const data = Buffer.from(account.data)
  const isMint = data.length === MINT_BYTES || (data.length > ACCOUNT_BYTES && data[ACCOUNT_BYTES] === 1)
  if (!isMint || data[45] !== 1) return undefined
  return { supply: data.readBigUInt64LE(36), decimals: data[44] ?? 0 }
}

/** An amount as JSON-RPC shows it. */
export function uiAmount(amount: bigint, decimals: number) {
  const digits = amount.toString().padStart(decimals + 1, '0')
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, '')
  const text = fraction === '' ? whole : `${whole}.${fraction}`
  return { amount: amount.toString(), decimals, uiAmount: Number(text), uiAmountString: text }
}

function isTokenProgram(owner: string): boolean {
  return owner === TOKEN_PROGRAM || owner === TOKEN_2022_PROGRAM
}
