import { inTransaction, type Database } from '../../../kernel/database.js'
import { idSource } from '../../../kernel/ids.js'
import { addJob } from '../../../kernel/jobs.js'
import { createLog } from '../../../kernel/log.js'
import { commandTarget, connectCommand, NotAvailableError, type CommandTarget } from '../../../kernel/sandbox-file.js'
import { openKycDatabase } from '../context.js'
import type { EraseDeps } from '../domain/erase-person.js'
import type { KycEnv } from '../env.js'
import { accessLog } from '../store/access-log.js'
import { linkedEmailsStore } from '../store/linked-emails.js'
import { peopleStore } from '../store/people.js'
import { sessionsStore } from '../store/sessions.js'
import { createVault, type Vault } from '../vault.js'

/** To seal everything again reads every row there is; one statement finds 500 of them by an index, however busy the database is. */
const TIMEOUTS = { statementMs: 900_000, answerMs: 905_000 }

/** What the command line works on. Calls to providers are left to the running product: the command adds jobs for them. */
export interface OpenKyc {
  deps: EraseDeps
  vault: Vault
  accesses: ReturnType<typeof accessLog>
  db: Database
  target: CommandTarget
}

/**
 * Connects to the people of `DATABASE_URL`, or to those of the sandbox that runs on the data folder.
 * @throws NotAvailableError where they cannot be reached, or the master key is missing
 */
export async function openKyc(env: KycEnv): Promise<OpenKyc> {
  const target = await commandTarget(env)
  const { url, masterKey, clock } = target
  if (!masterKey) throw new NotAvailableError('MASTER_KEY is needed: without it nobody is found.')
  const vault = createVault([masterKey, ...(env.previousMasterKey ? [env.previousMasterKey] : [])])
  const options = { url, poolSize: 2, log: createLog('silent'), timeouts: TIMEOUTS }
  const db = await connectCommand(env, () => openKycDatabase(options))
  const newId = idSource(clock.now)
  const accesses = accessLog(db, clock)
  const deps: EraseDeps = {
    clock,
    people: peopleStore(db, vault, clock, newId),
    linkedEmails: linkedEmailsStore(vault, clock),
    sessions: sessionsStore(db, vault, clock, newId),
    transaction: (work) => inTransaction(db, work),
    addJob: (em, job) => addJob(em, clock, job),
    logAccess: (tenantId, personId, operation) =>
      accesses.append([{ tenantId, personId, actor: 'operator', operation, requestId: 'command-line' }]),
  }
  return { deps, vault, accesses, db, target }
}
