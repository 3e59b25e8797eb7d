import bs58 from 'bs58'
import type { WireMessage } from '../../chains/solana/wire.js'

const LAMPORTS_PER_SIGNATURE = 5_000n
const MICRO_LAMPORTS = 1_000_000n
const COMPUTE_BUDGET = 'ComputeBudget111111111111111111111111111111'
const DEFAULT_UNITS = 200_000n
const BUILTIN_UNITS = 3_000n
const MAX_UNITS = 1_400_000n

/** Programs that are part of the runtime, which budgets less for each of their instructions (SIMD-0170). */
const BUILTINS = new Set([
  COMPUTE_BUDGET,
  '11111111111111111111111111111111',
  'Vote111111111111111111111111111111111111111',
  'BPFLoader1111111111111111111111111111111111',
  'BPFLoader2111111111111111111111111111111111',
  'BPFLoaderUpgradeab1e11111111111111111111111',
])

/** What a message costs, in lamports: each signature, and the price of its compute units, rounded up. */
export function feeOf(message: WireMessage): number {
  let units: bigint | undefined
  let price = 0n
  let defaultUnits = 0n
  for (const { programIdIndex, data } of message.instructions) {
    const program = bs58.encode(message.keys[programIdIndex] ?? new Uint8Array())
    defaultUnits += BUILTINS.has(program) ? BUILTIN_UNITS : DEFAULT_UNITS
    if (program !== COMPUTE_BUDGET) continue
    const view = Buffer.from(data)
    if (view[0] === 2 && view.length >= 5) units = BigInt(view.readUInt32LE(1))
    if (view[0] === 3 && view.length >= 9) price = view.readBigUInt64LE(1)
  }
  const limit = units ?? defaultUnits
  const prioritized = ((limit < MAX_UNITS ? limit : MAX_UNITS) * price + MICRO_LAMPORTS - 1n) / MICRO_LAMPORTS
  return Number(BigInt(message.requiredSignatures) * LAMPORTS_PER_SIGNATURE + prioritized)
}
