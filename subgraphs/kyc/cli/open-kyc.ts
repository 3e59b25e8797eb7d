import { systemClock } from '../../../kernel/clock.js'
import type { Database } from '../../../kernel/database.js'
import { idSource } from '../../../kernel/ids.js'
import { createLog } from '../../../kernel/log.js'
import { commandTarget, connectCommand, NotAvailableError } from '../../../kernel/sandbox-file.js'
import { kycContext, openKycDatabase } from '../context.js'
import type { KycDeps } from '../deps.js'
import type { KycEnv } from '../env.js'
import { createVault } from '../vault.js'

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
  const { url, masterKey } = await commandTarget(env)
  if (!masterKey) throw new NotAvailableError('MASTER_KEY is needed: without it nobody is found.')
  const vault = createVault([masterKey, ...(env.previousMasterKey ? [env.previousMasterKey] : [])])
  const log = createLog('silent')
  const db = await connectCommand(env, () => openKycDatabase({ url, poolSize: 2, log }))
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
}
