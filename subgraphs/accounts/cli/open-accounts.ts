import { randomBytes } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '../../../kernel/clock.js'
import { keyRing } from '../../../kernel/encryption.js'
import { idSource } from '../../../kernel/ids.js'
import { createLog } from '../../../kernel/log.js'
import { accountsDeps, openAccountsDatabase } from '../context.js'
import { WEBHOOK_SECRETS, type AccountsDeps } from '../deps.js'
import type { AccountsEnv } from '../env.js'

/** The command cannot run here; the message says what to do about it. */
export class NotAvailableError extends Error {
  override readonly name = 'NotAvailableError'
}

/** Where the sandbox keeps its master key, 64 hex characters, beside `sandbox.json`. */
const MASTER_KEY_FILE = 'master-key'

/**
 * Connects to the accounts of `DATABASE_URL`, or to those of the sandbox that runs on the data folder.
 * @param sealsSecrets whether the command makes a webhook secret: only then the master key is needed
 * @throws NotAvailableError where neither can be reached, or the master key is missing
 */
export async function openAccounts(
  env: AccountsEnv,
  sealsSecrets: boolean,
): Promise<{ deps: AccountsDeps; close: () => Promise<void> }> {
  const sandboxUrl = await sandboxDatabaseUrl(env.dataDir)
  const url = env.databaseUrl ?? sandboxUrl
  if (url === undefined) {
    const file = join(env.dataDir, 'sandbox.json')
    throw new NotAvailableError(`Set DATABASE_URL, or start the sandbox first (npm start): ${file} names no database.`)
  }
  // The sandbox's key opens nothing in another database, and what it sealed there nobody could open.
  const masterKey = env.masterKey ?? (url === sandboxUrl ? await sandboxMasterKey(env.dataDir) : undefined)
  if (sealsSecrets && !masterKey) throw new NotAvailableError('MASTER_KEY is needed: it seals the webhook secret.')
  try {
    const db = await openAccountsDatabase({ url, poolSize: 2, log: createLog('silent') })
    const deps = accountsDeps(db, {
      clock: systemClock,
      newId: idSource(systemClock.now),
      random: randomBytes,
      keyRing: masterKey ? keyRing([masterKey], WEBHOOK_SECRETS) : { currentId: 'none', keys: new Map() },
      publicClientIdPrefix: env.publicClientIdPrefix,
    })
    return { deps, close: () => db.close() }
  } catch (error) {
    const where =
      env.databaseUrl === undefined ? 'The embedded database of the sandbox' : 'The database of DATABASE_URL'
    // The address is left out: it holds a password.
    throw new NotAvailableError(`${where} cannot be reached (${codeOf(error)}).`, { cause: error })
  }
}

/** The database that `sandbox.json` names; undefined where there is no such file, or it is not readable. */
async function sandboxDatabaseUrl(dataDir: string): Promise<string | undefined> {
  try {
    const sandbox = JSON.parse(await readFile(join(dataDir, 'sandbox.json'), 'utf8')) as { database_url?: unknown }
    return typeof sandbox.database_url === 'string' ? sandbox.database_url : undefined
  } catch {
    return undefined
  }
}

async function sandboxMasterKey(dataDir: string): Promise<Buffer | undefined> {
  const text = (await readFile(join(dataDir, MASTER_KEY_FILE), 'utf8').catch(() => '')).trim()
  return /^[0-9a-f]{64}$/i.test(text) ? Buffer.from(text, 'hex') : undefined
}

function codeOf(error: unknown): string {
  const { code, name } = error as { code?: unknown; name?: unknown }
  return typeof code === 'string' ? code : String(name)
}
