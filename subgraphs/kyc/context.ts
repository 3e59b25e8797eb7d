import { randomBytes, randomInt } from 'node:crypto'
import DataLoader from 'dataloader'
import { isSignatureOf } from '../../chains/wallet-proof/verify-signature.js'
import type { EvmClient } from '../../chains/evm/client.js'
import type { Clock } from '../../kernel/clock.js'
import { inTransaction, openDatabase, type Database, type DatabaseTimeouts } from '../../kernel/database.js'
import { transactionOnce } from '../../kernel/idempotency.js'
import type { IdSource } from '../../kernel/ids.js'
import { addJob } from '../../kernel/jobs.js'
import type { Logger } from '../../kernel/log.js'
import type { RequestContext } from '../../kernel/subgraph.js'
import { perTenant } from '../../kernel/tenant-loader.js'
import type { KycDeps } from './deps.js'
import { refreshes } from './domain/refreshes.js'
import { accessLog, type Access, type AccessLog } from './store/access-log.js'
import { emailOtpsStore } from './store/email-otps.js'
import { linkedEmailsStore } from './store/linked-emails.js'
import { lostJobsStore } from './store/lost-jobs.js'
import { createKyc } from './store/migrations/0001-kyc.js'
import { linkEmails } from './store/migrations/0002-linked-emails.js'
import { countByIntegration } from './store/migrations/0003-session-integrations.js'
import { hashDocuments } from './store/migrations/0004-document-hashes.js'
import { endApprovals } from './store/migrations/0005-approval-ends.js'
import { findLostJobs } from './store/migrations/0006-lost-jobs.js'
import { findOldCodeSends } from './store/migrations/0007-old-code-sends.js'
import { separatePageCodes } from './store/migrations/0008-page-codes.js'
import { retryJobsWithoutKey } from './store/migrations/0009-jobs-without-key.js'
import { countWrongTries } from './store/migrations/0010-wrong-tries.js'
import { countPagesApart } from './store/migrations/0011-page-quota.js'
import { forgetForGood } from './store/migrations/0012-forget-for-good.js'
import { peopleStore } from './store/people.js'
import { PersonEntity } from './store/person.entity.js'
import { personEventsStore } from './store/person-events.js'
import { providerEventsStore } from './store/provider-events.js'
import { SessionEntity } from './store/session.entity.js'
import { sessionsStore } from './store/sessions.js'
import { walletChallengesStore } from './store/wallet-challenges.js'

const CODE_DIGITS = 6

/** What the deployment decides about kyc. */
export interface KycOptions extends Pick<KycDeps, 'settings' | 'vault' | 'sendMail'> {
  clock: Clock
  newId: IdSource
  log: Logger
  /** The chain that contract wallets are asked on; undefined where the deployment has no EVM chain. */
  evmClient: EvmClient | undefined
  /** The provider that new sessions are made at first; the others are known for their older sessions. */
  verifiers: readonly NonNullable<KycDeps['verifier']>[]
}

/** Connects kyc to its PostgreSQL schema. */
export function openKycDatabase(options: {
  url: string
  poolSize: number
  log: Logger
  timeouts?: DatabaseTimeouts
}): Promise<Database> {
  return openDatabase({
    ...options,
    schema: 'kyc',
    entities: [PersonEntity, SessionEntity],
    migrations: [
      { name: '0001-kyc', statements: createKyc },
      { name: '0002-linked-emails', statements: linkEmails },
      { name: '0003-session-integrations', statements: countByIntegration },
      { name: '0004-document-hashes', statements: hashDocuments },
      { name: '0005-approval-ends', statements: endApprovals },
      { name: '0006-lost-jobs', statements: findLostJobs },
      { name: '0007-old-code-sends', statements: findOldCodeSends },
      { name: '0008-page-codes', statements: separatePageCodes },
      { name: '0009-jobs-without-key', statements: retryJobsWithoutKey },
      { name: '0010-wrong-tries', statements: countWrongTries },
      { name: '0011-page-quota', statements: countPagesApart },
      { name: '0012-forget-for-good', statements: forgetForGood },
    ],
  })
}

/** Makes the dependencies of a request: everything shared, its caller for the access log, and its loaders. */
export function kycContext(db: Database, options: KycOptions): (context: RequestContext) => KycDeps {
  const shared = sharedDeps(db, options)
  return ({ caller, requestId }) => ({
    ...shared,
    personBy: perTenant(shared.people.findMany, { cacheKeyFn: ({ kind, value }) => `${kind} ${value}` }),
    sessionById: perTenant(shared.sessions.findMany, { cache: false }),
    recordOf: perTenant(shared.sessions.findRecords),
    isOnlyPayer: onlyPayer(),
    logAccess: accessLogger(shared.accessLog, caller.keyId, requestId),
  })
}

type SharedDeps = Omit<KycDeps, 'personBy' | 'sessionById' | 'recordOf' | 'isOnlyPayer' | 'logAccess'>

function sharedDeps(db: Database, options: KycOptions): SharedDeps {
  const { clock, newId, log, settings, vault, sendMail, evmClient, verifiers } = options
  return {
    clock,
    log,
    settings,
    vault,
    accessLog: accessLog(db, clock),
    sendMail,
    people: peopleStore(db, vault, clock, newId),
    linkedEmails: linkedEmailsStore(vault, clock),
    sessions: sessionsStore(db, vault, clock, newId),
    emailOtps: emailOtpsStore(db, clock),
    walletChallenges: walletChallengesStore(db, clock),
    personEvents: personEventsStore(db, vault, clock),
    providerEvents: providerEventsStore(db, vault, clock),
    lostJobs: lostJobsStore(db),
    pool: db.pool,
    transaction: (work) => inTransaction(db, work),
    once: (tenant, work) => transactionOnce({ db, clock }, tenant, work),
    addJob: (em, job) => addJob(em, clock, job),
    verifier: verifiers[0],
    refreshes: refreshes(clock),
    verifierOf: (name) => verifiers.find((verifier) => verifier.name === name),
    newCode: () => String(randomInt(10 ** CODE_DIGITS)).padStart(CODE_DIGITS, '0'),
    newNonce: () => randomBytes(16).toString('hex'),
    isSignatureOf: (wallet, message, signedBytes) => isSignatureOf(wallet, message, signedBytes, evmClient),
  }
}

type LoggedAccess = Pick<Access, 'tenantId' | 'personId' | 'operation'>

/** Each access is written down once, and those of a list in one statement. */
function accessLogger(log: AccessLog, actor: string, requestId: string): KycDeps['logAccess'] {
  const write = async (accesses: readonly LoggedAccess[]): Promise<undefined[]> => {
    await log.append(accesses.map((access) => ({ ...access, actor, requestId })))
    return accesses.map(() => undefined)
  }
  const loader = new DataLoader<LoggedAccess, undefined, string>(write, {
    cacheKeyFn: (access) => JSON.stringify(access),
  })
  return (tenantId, personId, operation) => loader.load({ tenantId, personId, operation })
}

/** The fields of a list are resolved in one tick, so the calls of a list are one batch. */
function onlyPayer(): KycDeps['isOnlyPayer'] {
  const loader = new DataLoader((ids: readonly string[]) => Promise.resolve(ids.map(() => ids.length === 1)))
  return (paymentId) => loader.load(paymentId)
}
