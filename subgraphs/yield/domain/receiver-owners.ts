import { PublicKey, SystemProgram } from '@solana/web3.js'
import { addressText } from '../../../chains/solana/address-text.js'
import { associatedTokenAddress, decodeTokenAccount, TOKEN_PROGRAM_ID } from '../../../chains/solana/token.js'
import { isAddedByWallets } from '../../../chains/solana/verify-signed.js'
import type { ChainAccount } from '../providers/provider.js'
import type { InstructionKind } from './describe-instruction.js'
import type { InstructionView, TransactionView } from './describe-transaction.js'

/** Kinds that pay SOL itself, which any address can hold: it is its own owner. */
const PAY_SOL: ReadonlySet<InstructionKind> = new Set(['unwrap_sol', 'other'])
/** Kinds of the protocols' own, which move tokens and leave the owners of accounts as they are. */
const LEAVE_OWNERS: ReadonlySet<InstructionKind> = new Set(['deposit', 'withdraw', 'refresh'])

/**
 * Who owns the account that each instruction pays into, as the instruction finds it: what the transaction itself makes and closes
 * counts. Null where there is no receiver, no open account, or no owner who is sure to have it in the end.
 * @param accounts every receiver as it is on the chain, by its address
 */
export function receiverOwners(
  { feePayer, instructions }: TransactionView,
  accounts: ReadonlyMap<string, ChainAccount | null>,
): (string | null)[] {
  const wallet = new PublicKey(feePayer)
  const mayChange = changedByOthers(instructions)
  const owners = new Map([...accounts].map(([address, account]) => [address, ownerOf(account)]))
  return instructions.map(({ kind, mint, receiver, isAsBuilt }) => {
    if (kind === 'unwrap_sol' && mint !== null) {
      owners.set(addressText(associatedTokenAddress(wallet, new PublicKey(mint))), undefined)
    }
    if (receiver === null) return null
    if (kind === 'create_token_account' && isAsBuilt && owners.get(receiver) === undefined) {
      owners.set(receiver, feePayer)
    }
    const owner = owners.get(receiver)
    if (PAY_SOL.has(kind)) return owner === undefined ? receiver : owner
    return owner === undefined || mayChange(receiver) ? null : owner
  })
}

/** The owner of a token account; undefined where there is none yet, null of anything else. */
function ownerOf(account: ChainAccount | null): string | null | undefined {
  // An address that only ever got lamports is as good as none: creating the account takes it over.
  if (!account || account.owner.equals(SystemProgram.programId)) return undefined
  const token = account.owner.equals(TOKEN_PROGRAM_ID) ? decodeTokenAccount(account.data) : undefined
  return token?.state === 'initialized' ? token.owner : null
}

/** Tells which accounts may be changed by instructions that this service does not build, such as to another owner. */
function changedByOthers(instructions: readonly InstructionView[]): (address: string) => boolean {
  const others = instructions.filter(
    ({ kind, program, isAsBuilt }) => !isAsBuilt && !LEAVE_OWNERS.has(kind) && !isAddedByWallets(program),
  )
  const written = new Set(others.flatMap(({ writes }) => writes ?? []))
  const isAny = others.some(({ writes }) => writes === null)
  return (address) => isAny || written.has(address)
}
