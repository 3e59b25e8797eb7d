import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { systemClock } from '../../../kernel/clock.js'
import type { Database } from '../../../kernel/database.js'
import { idSource } from '../../../kernel/ids.js'
import { createLog } from '../../../kernel/log.js'
import { kycContext, openKycDatabase } from '../context.js'
import type { KycDeps } from '../deps.js'
import type { KycEnv } from '../env.js'
import { createVault } from '../vault.js'

/** The command cannot run here; the message says what to do about it. */
export class NotAvailableError extends Error {
  override readonly name = 'NotAvailableError'
}

/** Where the sandbox keeps its master key, 64 hex characters, beside `sandbox.json`. */
const MASTER_KEY_FILE = 'master-key'

/** What the command line works on. Providers and e-mails are for the running product: the command adds jobs for it. */
export interface OpenKyc {
  deps: KycDeps
  db: Database
  close: () => Promise<void>
}

/**
 * Connects to the people of `DATABASE_URL`, or to those of the sandbox that runs on the data folder.
 * @throws NotAvailableError where they cannot be reached, or the master key is missing
 */
export async function openKyc(env: KycEnv): Promise<OpenKyc> {
  const sandboxUrl = await sandboxDatabaseUrl(env.dataDir)
  const url = env.databaseUrl ?? sandboxUrl
  if (url === undefined) throw new NotAvailableError('Set DATABASE_URL, or start the sandbox first (npm start).')
  const masterKey = env.masterKey ?? (url === sandboxUrl ? await sandboxMasterKey(env.dataDir) : undefined)
  if (!masterKey) throw new NotAvailableError('MASTER_KEY is needed: without it nobody is found.')
  const vault = createVault([masterKey, ...(env.previousMasterKey ? [env.previousMasterKey] : [])])
  const log = createLog('silent')
  try {
    const db = await openKycDatabase({ url, poolSize: 2, log })
    const depsOf = kycContext(db, {
      clock: systemClock,
      newId: idSource(systemClock.now),
      log,
      vault,
      settings: {
        monthlyQuota: 0,
        approvalLifeMs: 0,
        issuer: { domain: 'localhost', uri: 'http://localhost', evmChainId: 1, solanaCluster: 'mainnet' },
      },
      sendMail: () => Promise.reject(new NotAvailableError('The command line sends no e-mails.')),
      evmClient: undefined,
      verifiers: [],
    })
    const operator = { requestId: 'command-line', caller: { tenantId: null, keyId: 'operator', products: [] } }
    return { deps: depsOf(operator), db, close: () => db.close() }
  } catch (error) {
    const { code, name } = error as { code?: unknown; name?: unknown }
    // The address is left out: it holds a password.
    const reason = typeof code === 'string' ? code : String(name)
    throw new NotAvailableError(`The database cannot be reached (${reason}).`, { cause: error })
  }
}

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
