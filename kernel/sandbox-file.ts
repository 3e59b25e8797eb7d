import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { adjustableClock, systemClock, type Clock } from './clock.js'
import { text, type Values } from './env.js'

/** Where the sandbox keeps its master key, 64 hex characters, next to `sandbox.json`. */
const MASTER_KEY_FILE = 'master-key'

/** Where the sandbox keeps how far its clock was moved, next to `sandbox.json`. */
const STATE_FILE = 'sandbox-state.json'

/** A command cannot run here; the message says what to do about it. */
export class NotAvailableError extends Error {
  override readonly name = 'NotAvailableError'
}

/** What every command line reads of the environment; the names and meanings are those of the whole product. */
export const COMMAND_VARIABLES = {
  databaseUrl: text('DATABASE_URL', 'a PostgreSQL instead of the embedded one of the running sandbox'),
  dataDir: text('DATA_DIR', "the sandbox's data folder", '.data'),
}

/** What the environment says of the database that a command works on. */
export interface CommandEnv extends Values<typeof COMMAND_VARIABLES> {
  masterKey?: Buffer | undefined
}

/** What a command works on. */
export interface CommandTarget {
  /** The database's address. */
  url: string
  /**
   * The 32 bytes of `MASTER_KEY`; without it those of the sandbox, but for the sandbox's own database only: its key opens nothing in
   * another one, and what it sealed there could not be opened.
   */
  masterKey: Buffer | undefined
  /** The time of the product that writes the database: a sandbox's clock may have been moved. */
  clock: Clock
}

/**
 * What a command works on: the database of `DATABASE_URL`, or that of the sandbox that runs on the data folder.
 * @throws NotAvailableError where there is neither
 */
export async function commandTarget(env: CommandEnv): Promise<CommandTarget> {
  const file = join(env.dataDir, 'sandbox.json')
  const sandboxUrl = await databaseOf(file)
  const url = env.databaseUrl ?? sandboxUrl
  if (url === undefined) {
    throw new NotAvailableError(`Set DATABASE_URL, or start the sandbox first (npm start): ${file} names no database.`)
  }
  if (url !== sandboxUrl) return { url, masterKey: env.masterKey, clock: systemClock }
  const masterKey = env.masterKey ?? (await sandboxMasterKey(env.dataDir))
  return { url, masterKey, clock: await sandboxClock(env.dataDir) }
}

/**
 * Connects a command to its database.
 * @param open connects, as the running product does
 * @throws NotAvailableError with the code of the failure; the address is left out, as it holds a password
 */
export async function connectCommand<Db>(env: CommandEnv, open: () => Promise<Db>): Promise<Db> {
  try {
    return await open()
  } catch (error) {
    const isEmbedded = env.databaseUrl === undefined
    const where = isEmbedded ? 'The embedded database of the sandbox' : 'The database of DATABASE_URL'
    const { code, name } = error as { code?: unknown; name?: unknown }
    const reason = typeof code === 'string' ? code : String(name)
    throw new NotAvailableError(
      `${where} cannot be reached (${reason}).${isEmbedded ? ' Start it first: npm start.' : ''}`,
      { cause: error },
    )
  }
}

/** The names of the sandbox's chains; none where a command works on another database. */
export async function sandboxChains({ databaseUrl, dataDir }: CommandEnv): Promise<string[]> {
  const { database_url: url, chains } = await readJson(join(dataDir, 'sandbox.json'))
  const isSandbox = url !== undefined && (databaseUrl ?? url) === url
  return isSandbox && typeof chains === 'object' && chains !== null ? Object.keys(chains) : []
}

/** The database that `sandbox.json` names; undefined where there is no such file, or it is not readable. */
async function databaseOf(file: string): Promise<string | undefined> {
  const { database_url: url } = await readJson(file)
  return typeof url === 'string' ? url : undefined
}

/** What a file of the sandbox says; nothing where there is no such file, or it is not readable. */
async function readJson(file: string): Promise<Partial<Record<string, unknown>>> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Partial<Record<string, unknown>>
  } catch {
    return {}
  }
}

/** The sandbox's time: the machine's, moved as far as the sandbox has written down. */
async function sandboxClock(dataDir: string): Promise<Clock> {
  const { clockAheadMs } = await readJson(join(dataDir, STATE_FILE))
  return typeof clockAheadMs === 'number' ? adjustableClock(clockAheadMs) : systemClock
}

async function sandboxMasterKey(dataDir: string): Promise<Buffer | undefined> {
  const text = (await readFile(join(dataDir, MASTER_KEY_FILE), 'utf8').catch(() => '')).trim()
  return /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : undefined
}
