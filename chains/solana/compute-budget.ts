import { AppError } from '../../kernel/errors.js'
import type { TransactionInstruction } from '@solana/web3.js'
import type { SolanaClient } from './client.js'
import { ask } from './rpc.js'
import { compileWire, transferInstructions, type ComputeBudget, type Transfer } from './transfer.js'

/** The most that one transaction may use (solana-compute-budget: MAX_COMPUTE_UNIT_LIMIT). */
const MAX_UNITS = 1_400_000
/** In micro-lamports for a unit. Below it a busy leader passes over; above it a transfer would cost more than a cent. */
const LOWEST_PRICE = 1_000
export const HIGHEST_PRICE = 1_000_000

const MICRO_LAMPORTS = 1_000_000n
const LAMPORTS_PER_SIGNATURE = 5_000n

/**
 * Runs a transfer without sending it, and tells what it needs: a fifth more units than it used, as accounts may change
 * before it lands, at a price that three of four recent transactions on these accounts did not exceed.
 * @param options.first instructions before the transfer's
 * @param options.price micro-lamports for a unit, where they were read before
 * @throws AppError `broadcast_simulation_failed` (`details`: the cause and the last lines of the log),
 *   `provider_unavailable`, `provider_timeout`; RangeError where the transaction is too large
 */
export async function estimateBudget(
  client: SolanaClient,
  transfer: Transfer,
  blockhash: string,
  { first = [], price }: { first?: readonly TransactionInstruction[]; price?: number } = {},
): Promise<ComputeBudget> {
  const transferring = transferInstructions(transfer, { units: MAX_UNITS, microLamports: LOWEST_PRICE })
  const instructions = [...first, ...transferring]
  const { bytes } = compileWire(instructions, transfer.from, blockhash)
  const [units, microLamports] = await Promise.all([
    simulate(client, bytes),
    price ?? recentPrice(client, [...new Set(writtenBy(instructions))]),
  ])
  return { units: Math.min(MAX_UNITS, Math.ceil(units * 1.2) + 1_000), microLamports }
}

function writtenBy(instructions: readonly TransactionInstruction[]): string[] {
  return instructions.flatMap(({ keys }) =>
    keys.filter(({ isWritable }) => isWritable).map(({ pubkey }) => pubkey.toBase58()),
  )
}

/** What a transaction with one signature costs, in lamports. */
export function feeOf({ units, microLamports }: ComputeBudget): bigint {
  return LAMPORTS_PER_SIGNATURE + (BigInt(units) * BigInt(microLamports) + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS
}

/** Compute units that the unsigned transaction uses. */
async function simulate(client: SolanaClient, bytes: Uint8Array): Promise<number> {
  const config = { encoding: 'base64', sigVerify: false, replaceRecentBlockhash: true, commitment: 'confirmed' }
  const answer = await ask('build', () =>
    client.call('simulateTransaction', [Buffer.from(bytes).toString('base64'), config]),
  )
  const { err, logs, unitsConsumed } = (answer as { value: SimulationValue }).value
  if (err !== null) {
    throw new AppError('broadcast_simulation_failed', { details: simulationDetails(err, logs), cause: err })
  }
  return unitsConsumed ?? MAX_UNITS
}

interface SimulationValue {
  err: unknown
  logs: readonly string[] | null
  unitsConsumed?: number
}

/** Which instruction would fail, by its place, where a simulation's error says so. */
export function failingInstruction({ cause }: AppError): number | undefined {
  const { InstructionError: failure } = (cause ?? {}) as { InstructionError?: readonly [number, unknown] }
  return failure?.[0]
}

/** Why a transaction would fail: the node's error and the last three lines of the log. */
export function simulationDetails(error: unknown, logs: readonly string[] | null | undefined): string {
  return [JSON.stringify(error), ...(logs ?? []).slice(-3)].join(' | ').slice(0, 500)
}

/**
 * What a compute unit costs a transaction that writes to these accounts, in micro-lamports: three of four recent ones paid
 * no more, within bounds.
 * @throws AppError `provider_unavailable`, `provider_timeout`
 */
export async function recentPrice({ call }: SolanaClient, accounts: readonly string[]): Promise<number> {
  const recent = await ask('build', () => call('getRecentPrioritizationFees', [accounts]))
  const fees = (recent as { prioritizationFee: number }[])
    .map(({ prioritizationFee }) => prioritizationFee)
    .sort((left, right) => left - right)
  const typical = fees[Math.floor(fees.length * 0.75)] ?? 0
  return Math.min(Math.max(typical, LOWEST_PRICE), HIGHEST_PRICE)
}
