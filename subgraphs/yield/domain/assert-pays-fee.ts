import { feeOf } from '../../../chains/solana/compute-budget.js'
import { parseWire } from '../../../chains/solana/wire.js'
import { AppError, validationError, type FieldFailure } from '../../../kernel/errors.js'
import type { YieldDeps } from '../deps.js'
import type { BuiltTransaction } from './build-transaction.js'
import type { Holding } from './token-holding.js'

/** More than a transaction costs at the highest price, with the rent of two accounts and what a wallet itself has to keep. */
const LAMPORTS_LEFT_MIN = 10_000_000n
/** What a token account and a wallet have to hold, in lamports. */
const TOKEN_ACCOUNT_RENT = 2_039_280n
const WALLET_RENT = 890_880n

const TOO_LITTLE: FieldFailure = { field: 'wallet', message: 'has too little SOL for the fee' }

/**
 * The draft of a transaction has run at no price. With its price it costs more, which the wallet may not have.
 * @param left what the wallet has for it, in lamports
 * @param failure what is told where that is too little
 * @throws AppError validation_error; broadcast_simulation_failed where it fails by something else by now
 */
export async function assertPaysFee(
  { chain }: Pick<YieldDeps, 'chain'>,
  { transaction }: BuiltTransaction,
  left: bigint,
  failure = TOO_LITTLE,
): Promise<void> {
  if (left >= LAMPORTS_LEFT_MIN) return
  const { error, details, lacksLamports } = await chain.simulate(Buffer.from(transaction, 'base64'))
  if (error === null) return
  if (!lacksLamports) throw new AppError('broadcast_simulation_failed', { details })
  throw validationError([failure])
}

/**
 * The same of two, one after the other: what the first takes the second does not have, so that it would be left undone.
 * @param holdings those that they create where they are missing
 */
export function assertPaysBoth(built: readonly BuiltTransaction[], left: bigint, holdings: readonly Holding[]): void {
  const fees = built.reduce((sum, { transaction }) => sum + feeIn(transaction), 0n)
  const missing = BigInt(holdings.filter(({ exists }) => !exists).length)
  if (left < fees + missing * TOKEN_ACCOUNT_RENT + WALLET_RENT) throw validationError([TOO_LITTLE])
}

/** What a transaction of ours costs: its first two instructions say how many units it may use, and at what price. */
function feeIn(transaction: string): bigint {
  const [limit, price] = parseWire(Buffer.from(transaction, 'base64')).message.instructions
  if (!limit || !price) throw new Error('a transaction without a budget')
  return feeOf({
    units: Buffer.from(limit.data).readUInt32LE(1),
    microLamports: Number(Buffer.from(price.data).readBigUInt64LE(1)),
  })
}
