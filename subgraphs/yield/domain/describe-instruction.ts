import {
  ComputeBudgetProgram,
  SystemInstruction,
  SystemProgram,
  type PublicKey,
  type TransactionInstruction,
} from '@solana/web3.js'
import {
  ASSOCIATED_TOKEN_PROGRAM_ID,
  associatedTokenAddress,
  createAssociatedTokenAccountIdempotent,
  TOKEN_PROGRAM_ID,
} from '../../../chains/solana/token.js'
import type { InstructionMeaning, Market, YieldProvider } from '../providers/provider.js'
import { unwrapSol, wrapSol, type Holding } from './token-holding.js'

/** What kinds of instruction our transactions have; anything else is `other`. */
export type InstructionKind =
  InstructionMeaning['action'] | 'create_token_account' | 'wrap_sol' | 'unwrap_sol' | 'compute_budget' | 'other'

/** The bound of `recentPrice` in `chains/solana/compute-budget.ts`. */
const HIGHEST_MICRO_LAMPORTS = 1_000_000n

/** What an instruction would do. */
export interface DescribedInstruction {
  program: string
  kind: InstructionKind
  provider: string | null
  amount: { value: bigint; unit: 'asset' | 'share' } | null
  mint: PublicKey | null
  owner: string | null
  receiver: string | null
  /** Whether it is, to the byte and the key, what we would build for the wallet. */
  isAsBuilt: boolean
}

/** What instructions are held against. */
export interface KnownMarkets {
  providers: readonly YieldProvider[]
  /** Those of the deployment that could be opened. */
  markets: readonly Market[]
}

/**
 * What an instruction would do, and whether it is what we would build for a wallet.
 * @param isWhole false where some of its accounts cannot be told; then it is not as built
 */
export function describeInstruction(
  known: KnownMarkets,
  instruction: TransactionInstruction,
  wallet: PublicKey,
  isWhole: boolean,
): DescribedInstruction {
  const { programId } = instruction
  const nothing: DescribedInstruction = {
    program: programId.toBase58(),
    kind: 'other',
    provider: null,
    amount: null,
    mint: null,
    owner: null,
    receiver: null,
    isAsBuilt: false,
  }
  if (!isWhole) return nothing
  if (programId.equals(ComputeBudgetProgram.programId)) {
    return { ...nothing, kind: 'compute_budget', isAsBuilt: isModestBudget(instruction.data) }
  }
  const provider = known.providers.find(({ programs }) => programs.some((program) => program.equals(programId)))
  const described = provider
    ? describeLeg(known, provider, instruction, wallet)
    : describeTokenWork(known, instruction, wallet)
  return { ...nothing, ...described }
}

/** A unit limit, or a price for each unit that is not above what we ever set. */
function isModestBudget(data: Buffer): boolean {
  if (data[0] === 2 && data.length === 5) return true
  return data[0] === 3 && data.length === 9 && data.readBigUInt64LE(1) <= HIGHEST_MICRO_LAMPORTS
}

function describeLeg(
  known: KnownMarkets,
  provider: YieldProvider,
  instruction: TransactionInstruction,
  wallet: PublicKey,
): Partial<DescribedInstruction> {
  const meaning = provider.describe(instruction)
  if (!meaning) return { provider: provider.name }
  const { action, amount, mint, owner, receiver } = meaning
  const isOfOurMarket = known.markets.some((market) => {
    const ours = market.provider.name === provider.name ? market.rebuild(instruction) : undefined
    return ours !== undefined && isSame(instruction, ours)
  })
  return {
    kind: action,
    provider: provider.name,
    amount,
    mint,
    owner: owner?.toBase58() ?? null,
    receiver: receiver?.toBase58() ?? null,
    isAsBuilt: isOfOurMarket && (owner === null || owner.equals(wallet)),
  }
}

/** The work around a leg: token accounts of the wallet's own, and SOL that is wrapped or unwrapped in them. */
function describeTokenWork(
  { markets }: KnownMarkets,
  instruction: TransactionInstruction,
  wallet: PublicKey,
): Partial<DescribedInstruction> {
  const { programId, keys } = instruction
  const native = markets.find(({ asset }) => asset.isNative)?.asset.mint
  const wrapped = native && ownHolding(wallet, native)
  if (programId.equals(ASSOCIATED_TOKEN_PROGRAM_ID)) {
    const [mint, owner, receiver] = [keys[3]?.pubkey, keys[2]?.pubkey, keys[1]?.pubkey]
    if (!mint || !owner || !receiver) return {}
    const ours = createAssociatedTokenAccountIdempotent({ payer: wallet, owner: wallet, mint })
    return {
      kind: 'create_token_account',
      mint,
      owner: owner.toBase58(),
      receiver: receiver.toBase58(),
      isAsBuilt: isSame(instruction, ours) && markets.some((market) => isNeededBy(market, mint)),
    }
  }
  if (programId.equals(SystemProgram.programId)) return describeTransfer(instruction, wrapped)
  if (!wrapped || !programId.equals(TOKEN_PROGRAM_ID)) return {}
  const [, syncNative] = wrapSol(wrapped, 0n)
  if (syncNative && isSame(instruction, syncNative)) return { kind: 'wrap_sol', mint: wrapped.mint, isAsBuilt: true }
  if (isSame(instruction, unwrapSol(wrapped))) {
    return { kind: 'unwrap_sol', mint: wrapped.mint, receiver: wallet.toBase58(), isAsBuilt: true }
  }
  return {}
}

/** Whether a move in a market may need the wallet's account of a mint. */
function isNeededBy({ asset, addresses }: Market, mint: PublicKey): boolean {
  return asset.mint.equals(mint) || addresses.shareMint.equals(mint)
}

function describeTransfer(
  instruction: TransactionInstruction,
  wrapped: Holding | undefined,
): Partial<DescribedInstruction> {
  // Transfer has the number 2 and twelve bytes; everything else of the system program is none of our work.
  if (instruction.data.length !== 12 || instruction.data.readUInt32LE(0) !== 2) return {}
  const { fromPubkey, toPubkey, lamports } = SystemInstruction.decodeTransfer(instruction)
  const amount = { value: BigInt(lamports), unit: 'asset' } as const
  const described = { amount, owner: fromPubkey.toBase58(), receiver: toPubkey.toBase58() }
  const [ours] = wrapped ? wrapSol(wrapped, amount.value) : []
  if (!wrapped || !ours || !isSame(instruction, ours)) return described
  return { ...described, kind: 'wrap_sol', mint: wrapped.mint, isAsBuilt: true }
}

function ownHolding(wallet: PublicKey, mint: PublicKey): Holding {
  return { wallet, mint, address: associatedTokenAddress(wallet, mint), exists: true, isOursToClose: true, amount: 0n }
}

/** Whether two instructions are the same call on the same accounts. A message may give an account more rights for another. */
function isSame(given: TransactionInstruction, built: TransactionInstruction): boolean {
  return (
    given.programId.equals(built.programId) &&
    Buffer.from(given.data).equals(Buffer.from(built.data)) &&
    given.keys.length === built.keys.length &&
    built.keys.every(({ pubkey, isSigner, isWritable }, index) => {
      const key = given.keys[index]
      return (
        key !== undefined && key.pubkey.equals(pubkey) && (!isSigner || key.isSigner) && (!isWritable || key.isWritable)
      )
    })
  )
}
