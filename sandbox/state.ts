import { randomBytes } from 'node:crypto'
import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { generatePrivateKey, privateKeyToAddress } from 'viem/accounts'
import type { Hex } from 'viem'
import { findLastingPort, isPortFree } from './processes/free-port.js'

/** What a sandbox remembers: its ports, throw-away keys and its demo tenant stay the same at every start. */
export interface SandboxState {
  ports: Record<string, number>
  payerKey: Hex
  operatorKey: Hex
  treasuryKey: Hex
  receivers: readonly Hex[]
  /** How far the sandbox's clock was moved ahead, in milliseconds. */
  clockAheadMs: number
  demo?: DemoTenant
}

/** The tenant that the sandbox's user is; its key is shown in `sandbox.json`. */
export interface DemoTenant {
  apiKey: string
  platformKey: string
  publicClientId: string
  webhookSecret: string
}

/** A sandbox's state on disk. */
export interface StateFile {
  state: SandboxState
  save: () => void
}

/** Reads the state of a data folder, or makes it at the first start. */
export function openState(dataDir: string): StateFile {
  const file = join(dataDir, 'sandbox-state.json')
  const state = read(file) ?? newState()
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

/** Writes a file that only its owner may read, in one step: a crash leaves the old one or the new one. */
export function writePrivate(file: string, text: string): void {
  const temporary = `${file}.${process.pid}.tmp`
  writeFileSync(temporary, text, { mode: 0o600 })
  renameSync(temporary, file)
}

function read(file: string): SandboxState | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as SandboxState
  } catch {
    return undefined
  }
}

function newState(): SandboxState {
  const addressOfNewKey = (): Hex => privateKeyToAddress(generatePrivateKey())
  return {
    ports: {},
    payerKey: generatePrivateKey(),
    operatorKey: generatePrivateKey(),
    treasuryKey: generatePrivateKey(),
    receivers: [addressOfNewKey(), addressOfNewKey()],
    clockAheadMs: 0,
  }
}
