import type { JobKind, PeriodicJob } from '../../kernel/jobs.js'
import { runningSubgraph } from '../../kernel/running-subgraph.js'
import type { RequestContext, RunningSubgraph } from '../../kernel/subgraph.js'
import { kycContext, openKycDatabase, type KycOptions } from './context.js'
import type { KycDeps } from './deps.js'
import { forgetSession, type ForgottenSession } from './domain/erase-person.js'
import { lapseApprovals, type LapseApprovalsDeps } from './domain/lapse-approvals.js'
import { NOTE_KYC_ACCESS, noteAccesses, type NotedAccesses } from './domain/note-accesses.js'
import { processCallback, type ProcessCallbackDeps } from './domain/process-callback.js'
import { restoreLostJobs } from './domain/restore-lost-jobs.js'
import { createMailer } from '../../kernel/mailer.js'
import { PROCESS_CALLBACK, type StoredCallback } from './store/provider-events.js'
import { FORGET_SESSION } from './forget-job.js'
import { kycSubgraph } from './subgraph.js'
import { VERIFIERS } from './verifiers/registry.js'
import type { Verifier, VerifierOptions } from './verifiers/verifier.js'

/** The jobs run for the deployment, not for a caller: they name their tenant in every read. */
const WORKER: RequestContext = { requestId: 'worker', caller: { tenantId: null, keyId: 'worker', products: [] } }

/** How long those outside may take to answer, where the deployment says nothing else. */
const TIMEOUT_MS = 10_000
const MAX_ATTEMPTS = 25

/** What a deployment with identity verification configures; without it every operation of it answers `provider_unavailable`. */
export interface KycServerOptions extends Omit<KycOptions, 'sendMail' | 'verifiers'> {
  databaseUrl: string
  poolSize: number
  mail: { url: string; from: string } | undefined
  /** How long the verification provider, and each step of the mail server, may take; 10 seconds by default. */
  timeoutMs?: number | undefined
  /** The provider's name in the registry, and how it is reached. */
  verifier:
    (Pick<VerifierOptions, 'baseUrl' | 'apiKey' | 'workflowIds' | 'webhookSecret'> & { name: string }) | undefined
}

/** Starts the kyc subgraph on its database. */
export async function startKyc(options: KycServerOptions): Promise<RunningSubgraph> {
  const { databaseUrl, poolSize, log } = options
  const mailer = options.mail && createMailer({ ...options.mail, timeoutMs: options.timeoutMs ?? TIMEOUT_MS, log })
  const verifiers = createVerifiers(options)
  const db = await openKycDatabase({ url: databaseUrl, poolSize, log })
  const sendMail: KycDeps['sendMail'] = async (message) => {
    if (!mailer) throw new Error('SMTP_URL is needed to send e-mails')
    await mailer.send(message)
  }
  const depsOf = kycContext(db, { ...options, sendMail, verifiers })
  return {
    ...runningSubgraph(kycSubgraph, db, depsOf, options),
    jobs: kycJobs(depsOf(WORKER)),
    periodic: kycPeriodicJobs(depsOf(WORKER)),
    close: async () => {
      mailer?.close()
      await db.close()
    },
  }
}

function createVerifiers({ verifier, timeoutMs = TIMEOUT_MS, clock, log }: KycServerOptions): Verifier[] {
  if (!verifier) return []
  const definition = VERIFIERS.find(({ name }) => name === verifier.name)
  if (!definition) throw new Error(`no verifier is named ${verifier.name}`)
  return [definition.create({ ...verifier, timeoutMs, clock, log })]
}

/** What kyc does in the background. */
function kycJobs(deps: ProcessCallbackDeps & Pick<KycDeps, 'accessLog'>): JobKind<never>[] {
  const callback: JobKind<StoredCallback> = {
    name: PROCESS_CALLBACK,
    maxAttempts: MAX_ATTEMPTS,
    run: (payload) => processCallback(deps, payload),
  }
  const forget: JobKind<ForgottenSession> = {
    name: FORGET_SESSION,
    maxAttempts: MAX_ATTEMPTS,
    run: (payload) => forgetSession(deps, payload),
  }
  const note: JobKind<NotedAccesses> = {
    name: NOTE_KYC_ACCESS,
    maxAttempts: MAX_ATTEMPTS,
    run: (payload) => noteAccesses(deps, payload),
  }
  return [callback, forget, note]
}

type PeriodicDeps = LapseApprovalsDeps &
  Pick<KycDeps, 'addJob' | 'emailOtps' | 'lostJobs' | 'providerEvents' | 'walletChallenges'>

function kycPeriodicJobs(deps: PeriodicDeps): PeriodicJob[] {
  return [
    { name: 'lapse-kyc-approvals', cron: '* * * * *', run: () => lapseApprovals(deps) },
    { name: 'remove-old-wallet-challenges', cron: '7 * * * *', run: () => deps.walletChallenges.removeOld() },
    { name: 'revive-kyc-jobs', cron: '*/3 * * * *', run: () => restoreLostJobs(deps) },
    { name: 'remove-old-code-sends', cron: '27 * * * *', run: () => deps.emailOtps.removeOld() },
    { name: 'remove-old-kyc-callbacks', cron: '17 * * * *', run: () => deps.providerEvents.removeOld() },
  ]
}
