import {
  PublicKey,
  SystemProgram,
  TransactionInstruction,
  type AddressLookupTableAccount,
  type AccountMeta,
} from '@solana/web3.js'
import bs58 from 'bs58'
import { addressText } from '../../../chains/solana/address-text.js'
import { isWritable, parseWire, type Wire, type WireMessage } from '../../../chains/solana/wire.js'
import { AppError } from '../../../kernel/errors.js'
import { fromBaseUnits } from '../../../kernel/money.js'
import { decodeBase64 } from './decode-signed.js'
import { describeInstruction, type DescribedInstruction, type KnownMarkets } from './describe-instruction.js'

/** What one instruction would do. */
export interface InstructionView {
  program: string
  kind: DescribedInstruction['kind']
  /** The provider whose program it calls. */
  provider: string | null
  /** What is moved: base units of the mint, or shares of the protocol. */
  amount: { baseUnits: string; unit: 'asset' | 'share'; decimal: string | null } | null
  mint: string | null
  symbol: string | null
  /** Whose money it is. */
  owner: string | null
  /** The account that receives. */
  receiver: string | null
  /** Whether it is exactly what this service would build for the signer. */
  isAsBuilt: boolean
  /** The accounts that it may change; null where they cannot all be told. */
  writes: readonly string[] | null
}

/** What a transaction would do, told from its bytes alone. */
export interface TransactionView {
  feePayer: string
  signers: string[]
  programs: string[]
  instructions: InstructionView[]
  /** Whether every instruction is one that this service would build for the fee payer, and one of them moves money. */
  isBuiltByThisService: boolean
  /** What a signer should know before signing; empty where nothing stands out. */
  warnings: string[]
}

/**
 * Tells what a transaction would do, from the wire alone. It counts as
 * built by this service where each instruction equals, to the byte and the key, what we would build for its fee payer, for
 * a market of this deployment. Whose the accounts are that receive only the chain can tell (`verify-yield-transaction.ts`).
 * @param text base64 of a signed or unsigned wire
 * @param lookupTable the deployment's table; accounts out of any other cannot be told
 * @throws AppError invalid_parameters where the text is no transaction
 */
export function describeTransaction(
  known: KnownMarkets,
  text: string,
  lookupTable?: AddressLookupTableAccount,
): TransactionView {
  const { message } = read(text)
  const keys = message.keys.map((key) => new PublicKey(key))
  const [feePayer = PublicKey.default] = keys
  const signers = keys.slice(0, message.requiredSignatures)
  const metas = metasOf(message, keys, lookupTable)
  const described = message.instructions.map((instruction) => {
    const accounts = instruction.accountIndexes.map((index) => metas[index])
    const programId = keys[instruction.programIdIndex] ?? PublicKey.default
    const told = accounts.filter((meta) => meta !== undefined)
    const whole = told.length === accounts.length
    const data = Buffer.from(instruction.data)
    const writes = whole ? told.filter((meta) => meta.isWritable).map(({ pubkey }) => addressText(pubkey)) : null
    const rebuilt = new TransactionInstruction({ programId, keys: told, data })
    return { ...describeInstruction(known, rebuilt, feePayer, whole), writes }
  })
  const movesMoney = described.some(({ kind }) => kind === 'deposit' || kind === 'withdraw')
  const isBuiltByThisService = movesMoney && signers.length === 1 && described.every(({ isAsBuilt }) => isAsBuilt)
  return {
    feePayer: feePayer.toBase58(),
    signers: signers.map((key) => key.toBase58()),
    programs: [...new Set(described.map(({ program }) => program))],
    instructions: described.map((instruction) => present(known, instruction)),
    isBuiltByThisService,
    warnings: warningsOf(message, described, signers.length, lookupTable),
  }
}

function read(text: string): Wire {
  try {
    return parseWire(decodeBase64(text))
  } catch (error) {
    const details = error instanceof AppError ? error.details : (error as Error).message
    throw new AppError('invalid_parameters', {
      message: 'This is not a transaction.',
      ...(details !== undefined && { details }),
    })
  }
}

/** Every account that instructions can name by its index; undefined where a table hides it. */
function metasOf(
  message: WireMessage,
  keys: readonly PublicKey[],
  table: AddressLookupTableAccount | undefined,
): (AccountMeta | undefined)[] {
  const own = keys.map((pubkey, index) => ({
    pubkey,
    isSigner: index < message.requiredSignatures,
    isWritable: isWritable(message, index),
  }))
  const lookedUp = (writable: boolean): (AccountMeta | undefined)[] =>
    message.lookups.flatMap((lookup) =>
      (writable ? lookup.writable : lookup.readonly).map((index) => {
        const isOurs = table?.key.toBase58() === bs58.encode(lookup.table)
        const pubkey = isOurs ? table.state.addresses[index] : undefined
        return pubkey && { pubkey, isSigner: false, isWritable: writable }
      }),
    )
  return [...own, ...lookedUp(true), ...lookedUp(false)]
}

function present(
  { markets }: KnownMarkets,
  instruction: DescribedInstruction & Pick<InstructionView, 'writes'>,
): InstructionView {
  const { amount, mint, ...rest } = instruction
  const asset = markets.find((market) => mint && market.asset.mint.equals(mint))?.asset
  return {
    ...rest,
    mint: mint?.toBase58() ?? null,
    symbol: asset?.symbol ?? null,
    amount: amount && {
      baseUnits: amount.value.toString(),
      unit: amount.unit,
      decimal: amount.unit === 'asset' && asset ? fromBaseUnits(amount.value, asset.decimals) : null,
    },
  }
}

function warningsOf(
  message: WireMessage,
  described: readonly DescribedInstruction[],
  signers: number,
  table: AddressLookupTableAccount | undefined,
): string[] {
  const warnings: string[] = []
  if (signers > 1) warnings.push(`It needs ${signers} signatures; ours need one.`)
  if (message.lookups.some((lookup) => table?.key.toBase58() !== bs58.encode(lookup.table))) {
    warnings.push('It takes accounts from a look-up table that this service does not know.')
  }
  described.forEach(({ kind, program, isAsBuilt }, index) => {
    if (isAsBuilt) return
    const what =
      kind === 'other' ? `calls ${programName(program)}` : `is a ${kind} that this service would not build so`
    warnings.push(`Instruction ${index + 1} ${what}.`)
  })
  return warnings
}

function programName(program: string): string {
  return program === SystemProgram.programId.toBase58() ? 'the system program' : program
}
