import { PublicKey } from '@solana/web3.js'
import type { YieldDeps } from '../deps.js'
import { describeTransaction, type InstructionView, type TransactionView } from './describe-transaction.js'
import { knownMarkets } from './open-markets.js'
import { receiverOwners } from './receiver-owners.js'

/** What one instruction would do, for who has to sign it. */
export interface VerifiedInstruction extends Omit<InstructionView, 'writes'> {
  /** Who owns the account that receives, when it does; null where nothing receives, or nobody can say. */
  receiverOwner: string | null
}

/** What a transaction would do, for who has to sign it. */
export interface VerifiedTransaction extends Omit<TransactionView, 'instructions'> {
  instructions: VerifiedInstruction[]
}

/**
 * Tells what a transaction would do, and whether this service would build it for its fee payer now. The protocols pay into any
 * account, and an account at a wallet's own address can have been given to another owner: so whose the receiving ones are is read
 * from the chain.
 * @param text base64 of a signed or unsigned wire
 * @throws AppError invalid_parameters where the text is no transaction; provider_unavailable, provider_timeout
 */
export async function verifyYieldTransaction(
  deps: Pick<YieldDeps, 'chain' | 'openMarkets' | 'settings'>,
  text: string,
): Promise<VerifiedTransaction> {
  const described = describeTransaction(await knownMarkets(deps), text, await deps.chain.lookupTable())
  const receivers = [...new Set(described.instructions.flatMap(({ receiver }) => receiver ?? []))]
  const read =
    receivers.length === 0 ? undefined : await deps.chain.readAccounts(receivers.map((key) => new PublicKey(key)))
  const accounts = new Map(receivers.map((address, index) => [address, read?.accounts[index] ?? null]))
  const owners = receiverOwners(described, accounts)
  const strangers: string[] = []
  const instructions = described.instructions.map(({ writes: _, ...instruction }, index) => {
    const receiverOwner = owners[index] ?? null
    const paysOthers = paysTokens(instruction) && receiverOwner !== described.feePayer
    if (paysOthers) strangers.push(`Instruction ${index + 1} ${paysInto(receiverOwner)}.`)
    return { ...instruction, receiverOwner, isAsBuilt: instruction.isAsBuilt && !paysOthers }
  })
  return {
    ...described,
    instructions,
    isBuiltByThisService: described.isBuiltByThisService && strangers.length === 0,
    warnings: [...described.warnings, ...strangers],
  }
}

/** Whether an instruction pays tokens into an account, which has to be the fee payer's. */
function paysTokens({ kind, receiver }: Pick<InstructionView, 'kind' | 'receiver'>): boolean {
  return receiver !== null && (kind === 'deposit' || kind === 'withdraw' || kind === 'wrap_sol')
}

function paysInto(owner: string | null): string {
  return owner === null
    ? 'pays into what is no open account of an owner who is known'
    : `pays into an account of ${owner}, who is not the fee payer`
}
