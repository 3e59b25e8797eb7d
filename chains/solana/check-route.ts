import { ed25519 } from '@noble/curves/ed25519.js'
import bs58 from 'bs58'
import { AppError } from '../../kernel/errors.js'
import type { Asset } from '../chain.js'
import { readAccounts, readAddressTables, type AccountState } from './account-states.js'
import type { SolanaClient } from './client.js'
import { simulationDetails } from './compute-budget.js'
import { isOnCurve } from './on-curve.js'
import { ask } from './rpc.js'
import { losses } from './losses.js'
import { isWritable, parseWire, WireError, type Wire } from './wire.js'

/** What a transaction that somebody else has built may take of its payer. */
export interface RouteBounds {
  /** Base58. */
  payer: string
  asset: Asset
  /** The most that it may take of the asset, in base units. */
  amountIn: bigint
}

/** For the fee, and the rent of accounts that are opened on the way, each 0.002 SOL. In lamports. */
const COSTS_MAX_LAMPORTS = 20_000_000n

/**
 * Looks whether a router's transaction takes no more than was agreed: it is run without being sent, and every account that it
 * may write is compared before and after. What the programs would do on another day it cannot tell; the payer signs the
 * very bytes that were run, and they are good for a minute.
 * @param serialized base64 of the wire, signed by all but the payer
 * @returns what is wrong with it, as a short name; undefined where it may be handed out
 * @throws AppError broadcast_simulation_failed where it would fail, `provider_unavailable`, `provider_timeout`
 */
export async function findRouteViolation(
  client: SolanaClient,
  serialized: string,
  { payer, asset, amountIn }: RouteBounds,
): Promise<string | undefined> {
  const wire = readWire(serialized)
  if (!wire) return 'wire'
  const form = findFormViolation(wire, payer)
  if (form !== undefined) return form
  const written = await writableKeys(client, wire)
  const before = await readAccounts(client, written)
  const after = await simulate(client, serialized, written)
  const lost = losses({ payer, before, after })
  if (lost.violation !== undefined) return lost.violation
  const coin = asset.kind === 'native' ? amountIn : 0n
  if (lost.lamports > coin + COSTS_MAX_LAMPORTS) return 'lamports'
  const allowed = asset.kind === 'token' ? asset.address : undefined
  for (const [mint, amount] of lost.tokens) {
    if (amount > (mint === allowed ? amountIn : 0n)) return 'tokens'
  }
  return undefined
}

function readWire(serialized: string): Wire | undefined {
  const bytes = Buffer.from(serialized, 'base64')
  if (bytes.toString('base64') !== serialized) return undefined
  try {
    return parseWire(bytes)
  } catch (error) {
    if (error instanceof WireError) return undefined
    throw error
  }
}

/** The payer pays the fee and is the only one who has not signed yet: it could not be sent otherwise. */
function findFormViolation({ message, messageBytes, signatures }: Wire, payer: string): string | undefined {
  if (bs58.encode(message.keys[0] ?? new Uint8Array()) !== payer) return 'feePayer'
  const others = signatures.slice(1)
  const isSigned = others.every((signature, index) => {
    const key = message.keys[index + 1] ?? new Uint8Array()
    return isOnCurve(key) && ed25519.verify(signature, messageBytes, key, { zip215: false })
  })
  return isSigned ? undefined : 'signatures'
}

/** Every account that it may change, those out of its tables too; base58. */
async function writableKeys(client: SolanaClient, { message }: Wire): Promise<string[]> {
  const own = message.keys.flatMap((key, index) => (isWritable(message, index) ? [bs58.encode(key)] : []))
  const tables = await readAddressTables(
    client,
    message.lookups.map(({ table }) => bs58.encode(table)),
  )
  const looked = message.lookups.flatMap(({ writable }, index) =>
    writable.map((entry) => {
      const address = tables[index]?.[entry]
      if (address === undefined) throw new AppError('provider_unavailable')
      return address
    }),
  )
  return [...own, ...looked]
}

async function simulate(
  client: SolanaClient,
  serialized: string,
  addresses: readonly string[],
): Promise<(AccountState | undefined)[]> {
  const accounts = { encoding: 'base64', addresses }
  const config = { encoding: 'base64', sigVerify: false, commitment: 'confirmed', accounts }
  const answer = await ask('build', () => client.call('simulateTransaction', [serialized, config]))
  const { err, logs, accounts: after } = (answer as { value: Simulated }).value
  if (err !== null || !after)
    throw new AppError('broadcast_simulation_failed', { details: simulationDetails(err, logs) })
  return after.map((account) => (account && account.lamports > 0 ? stateOf(account) : undefined))
}

interface Simulated {
  err: unknown
  logs: readonly string[] | null
  accounts: (SimulatedAccount | null)[] | null
}

interface SimulatedAccount {
  lamports: number
  owner: string
  data: [string, 'base64']
  executable: boolean
}

function stateOf({ lamports, owner, data, executable }: SimulatedAccount): AccountState {
  return { lamports: BigInt(lamports), owner, data: Buffer.from(data[0], 'base64'), isProgram: executable }
}
