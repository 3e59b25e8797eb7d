import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { Hex } from 'viem'
import type { Clock } from '../kernel/clock.js'
import { addressOfSeed } from './solana/keys.js'
import { readKept, writePrivate } from './private-file.js'
import { findLastingPort, isPortFree } from './processes/free-port.js'

/** What a sandbox remembers: its ports, throw-away keys and its demo tenant stay the same at every start. */
export interface SandboxState {
  ports: Record<string, number>
  payerKey: Hex
  operatorKey: Hex
  treasuryKey: Hex
  receivers: readonly Hex[]
  solana: SolanaKeys
  /** What product and simulators know of each other only, by name. */
  secrets: Record<string, string>
  /** How far the sandbox's clock was moved ahead, in milliseconds. */
  clockAheadMs: number
  demo?: DemoTenant
}

/** The sandbox's accounts on Solana: seeds in hex, addresses in base58. */
export interface SolanaKeys {
  payerSeed: string
  treasurySeed: string
  receivers: readonly string[]
}

/** The tenant that the sandbox's user is; its key is shown in `sandbox.json`. */
export interface DemoTenant {
  apiKey: string
  tenantId: string
  platformKey: string
  publicClientId: string
  webhookSecret: string
}

/** A sandbox's state on disk. */
export interface StateFile {
  state: SandboxState
  save: () => void
}

/** What a simulator of the sandbox lives on. */
export interface SimulatorHome {
  file: StateFile
  dataDir: string
  clock: Clock
}

/** Reads the state of a data folder, or makes it at the first start. */
export function openState(dataDir: string): StateFile {
  const file = join(dataDir, 'sandbox-state.json')
  // A state of an earlier version lacks what was added since.
  const state = { ...newState(), ...readKept<Partial<SandboxState>>(file) }
  const save = (): void => {
    writePrivate(file, JSON.stringify(state, null, 2))
  }
  save()
  return { state, save }
}

/** The sandbox's own master key, kept beside its state. */
export function openMasterKey(dataDir: string): Buffer {
  const file = join(dataDir, 'master-key')
  try {
    return Buffer.from(readFileSync(file, 'utf8').trim(), 'hex')
  } catch {
    const key = randomBytes(32)
    writePrivate(file, `${key.toString('hex')}\n`)
    return key
  }
}

/** The port of a simulator: the same as at the last start, if nobody else has taken it since. */
export async function portOf({ state, save }: StateFile, simulator: string): Promise<number> {
  const remembered = state.ports[simulator]
  if (remembered !== undefined && (await isPortFree(remembered))) return remembered
  const port = await findLastingPort()
  state.ports[simulator] = port
  save()
  return port
}

/** A secret of the sandbox: the same at every start, and known as one by its beginning. */
export function secretOf({ state, save }: StateFile, name: string): string {
  const secret = state.secrets[name] ?? `sandbox_${randomBytes(24).toString('base64url')}`
  if (state.secrets[name] === undefined) {
    state.secrets[name] = secret
    save()
  }
  return secret
}

function newState(): SandboxState {
  const addressOfNewKey = (): Hex => privateKeyToAddress(generatePrivateKey())
  return {
    ports: {},
    payerKey: generatePrivateKey(),
    operatorKey: generatePrivateKey(),
    treasuryKey: generatePrivateKey(),
    receivers: [addressOfNewKey(), addressOfNewKey()],
    solana: {
      payerSeed: randomBytes(32).toString('hex'),
      treasurySeed: randomBytes(32).toString('hex'),
      receivers: [addressOfSeed(randomBytes(32)), addressOfSeed(randomBytes(32))],
    },
    secrets: {},
    clockAheadMs: 0,
  }
}
