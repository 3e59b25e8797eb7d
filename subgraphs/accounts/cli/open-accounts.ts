import { randomBytes } from 'node:crypto'
import { keyRing } from '../../../kernel/encryption.js'
import { idSource } from '../../../kernel/ids.js'
import { createLog } from '../../../kernel/log.js'
import { commandTarget, connectCommand, NotAvailableError, type CommandTarget } from '../../../kernel/sandbox-file.js'
import { accountsDeps, openAccountsDatabase } from '../context.js'
import { WEBHOOK_SECRETS } from '../deps.js'
import type { CommandDeps } from './command.js'
import type { AccountsEnv } from '../env.js'

/**
 * Connects to the accounts of `DATABASE_URL`, or to those of the sandbox that runs on the data folder.
 * @param sealsSecrets whether the command seals a webhook secret: only then the master key is needed
 * @throws NotAvailableError where neither can be reached, or the master key is missing
 */
export async function openAccounts(
  env: AccountsEnv,
  sealsSecrets: boolean,
): Promise<{ deps: CommandDeps; target: CommandTarget; close: () => Promise<void> }> {
  const target = await commandTarget(env)
  const { url, masterKey, clock } = target
  if (sealsSecrets && !masterKey) throw new NotAvailableError('MASTER_KEY is needed: it seals the webhook secret.')
  const masterKeys = [masterKey, env.previousMasterKey].filter((key) => key !== undefined)
  const db = await connectCommand(env, () => openAccountsDatabase({ url, poolSize: 2, log: createLog('silent') }))
  const deps = accountsDeps(db, {
    clock,
    newId: idSource(clock.now),
    random: randomBytes,
    keyRing: masterKey ? keyRing(masterKeys, WEBHOOK_SECRETS) : { currentId: 'none', keys: new Map() },
    publicClientIdPrefix: env.publicClientIdPrefix,
    hasMarkets: false,
  })
  return { deps, target, close: () => db.close() }
}
