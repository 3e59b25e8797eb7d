import type { AddressLookupTableAccount, PublicKey, TransactionInstruction } from '@solana/web3.js'
import { AppError } from '../../../kernel/errors.js'
import type { YieldDeps } from '../deps.js'
import { BUDGET_INSTRUCTIONS, compileTransaction, withBudget, type Budget } from './compile-transaction.js'

/** What the use cases need that build transactions. */
export type BuildDeps = Pick<YieldDeps, 'chain' | 'once' | 'openMarkets' | 'settings'>

/** An unsigned transaction as it is handed out. */
export interface BuiltTransaction {
  /** Base64 of the wire. */
  transaction: string
  recentBlockhash: string
  lastValidBlockHeight: number
}

/** What all transactions of one answer are compiled with. */
export interface BuildContext {
  wallet: PublicKey
  blockhash: string
  lastValidBlockHeight: number
  lookupTable: AddressLookupTableAccount | undefined
}

/** Instructions that fit, compiled once to know it. */
export interface Draft {
  instructions: readonly TransactionInstruction[]
  wire: Uint8Array
}

/** The most that one transaction may use (solana-compute-budget: MAX_COMPUTE_UNIT_LIMIT). */
const MAX_UNITS = 1_400_000
/** For a leg that cannot run before the leg in front of it has: several times what the largest was seen to use. */
const UNKNOWN_UNITS = 300_000
/**
 * Beyond a fifth of what the simulation used: a protocol that was touched in the same second has no interest to count, and
 * counts some when the transaction lands. Measured on the programs of the main chain: the reserve of PYUSD takes 110 400
 * units more then, the vaults up to 4 500. The payer pays the compute price for them, well under a cent.
 */
const SPARE_UNITS = 150_000
/** The numbers of the budget have a fixed size, so any will do while the wire's size is what matters. */
const DRAFT_BUDGET: Budget = { units: MAX_UNITS, microLamports: 0 }

/** Reads what transactions of a wallet are compiled with. @throws AppError provider_unavailable, provider_timeout */
export async function buildContext({ chain }: Pick<YieldDeps, 'chain'>, wallet: PublicKey): Promise<BuildContext> {
  const [latest, lookupTable] = await Promise.all([chain.latestBlockhash(), chain.lookupTable()])
  return { wallet, lookupTable, ...latest }
}

/** The instructions as a draft; undefined where they do not fit into one transaction. */
export function draftOf(instructions: readonly TransactionInstruction[], context: BuildContext): Draft | undefined {
  const wire = compileTransaction(instructions, DRAFT_BUDGET, context)
  return wire && { instructions, wire }
}

/**
 * Finishes a draft: runs it on the present state without sending it, and gives it more compute units than it used, at a
 * price that most recent transactions on its accounts did not exceed.
 * @param options.mayLackFunds the draft spends what a transaction before it brings, so that it cannot run to its end now;
 *   any other failure than lack of tokens is one still
 * @throws AppError broadcast_simulation_failed with the cause in `details`, provider_unavailable, provider_timeout
 */
export async function finishDraft(
  deps: Pick<YieldDeps, 'chain' | 'settings'>,
  draft: Draft,
  context: BuildContext,
  options: { mayLackFunds: boolean } = { mayLackFunds: false },
): Promise<BuiltTransaction> {
  const written = draft.instructions.flatMap(({ keys }) => keys.filter(({ isWritable }) => isWritable))
  const [simulation, microLamports] = await Promise.all([
    deps.chain.simulate(draft.wire),
    deps.chain.priorityFee(written.map(({ pubkey }) => pubkey)),
  ])
  const lacksFunds = options.mayLackFunds && isLackOfTokens(deps, draft, simulation.error)
  if (simulation.error !== null && !lacksFunds) {
    throw new AppError('broadcast_simulation_failed', { details: simulation.details })
  }
  const units = lacksFunds
    ? UNKNOWN_UNITS
    : Math.min(MAX_UNITS, Math.ceil(simulation.unitsConsumed * 1.2) + SPARE_UNITS)
  return {
    transaction: Buffer.from(withBudget(draft.wire, { units, microLamports })).toString('base64'),
    recentBlockhash: context.blockhash,
    lastValidBlockHeight: context.lastValidBlockHeight,
  }
}

/**
 * Whether a provider's instruction failed for lack of tokens: `{"InstructionError":[2,{"Custom":1}]}`, as error 1 of the token
 * program is InsufficientFunds, which the protocols pass on. Other programs mean other things by that number.
 */
function isLackOfTokens({ settings }: Pick<YieldDeps, 'settings'>, draft: Draft, error: unknown): boolean {
  const [index = -1, cause] = (error as { InstructionError?: [number, unknown] } | null)?.InstructionError ?? []
  const failed = draft.instructions[index - BUDGET_INSTRUCTIONS]?.programId
  const isLeg = settings.providers.some(({ programs }) => programs.some((program) => failed?.equals(program)))
  return isLeg && (cause as { Custom?: number } | undefined)?.Custom === 1
}
