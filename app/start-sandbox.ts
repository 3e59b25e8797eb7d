import type { AdjustableClock } from '../kernel/clock.js'
import type { Logger } from '../kernel/log.js'
import type { PartialSandbox, SandboxPart } from '../sandbox/sandbox.js'
import { RAILS } from '../subgraphs/payments/rails/registry.js'
import type { Env } from './env.js'
import { signersOf } from './signer-settings.js'

/**
 * Starts what the environment does not configure; nothing in live. Sandbox code is loaded only here, so that an
 * installation without the optional packages starts in live, and as a sandbox that configures everything.
 * @throws Error with one clear line where a part cannot start
 */
export async function startSandboxIfNeeded({
  env,
  clock,
  log,
  onGiveUp,
}: {
  env: Env
  clock: AdjustableClock
  log: Logger
  onGiveUp: (error: Error) => void
}): Promise<PartialSandbox | undefined> {
  if (env.isLive) return undefined
  const parts = missingParts(env)
  const rails = missingRails(env)
  if (parts.length + rails.length === 0) return (await import('../sandbox/bare.js')).bareSandbox(clock)
  const { startSandboxParts } = await import('../sandbox/start.js')
  const { dataDir, databaseUrl, blockSeconds, confirmations, chains = [] } = env
  const pace = { blockSeconds, confirmations }
  return startSandboxParts({ dataDir, databaseUrl, clock, log, onGiveUp, parts, rails, chains, pace })
}

/** The parts of the outside world that the environment does not fully configure. */
function missingParts(env: Env): SandboxPart[] {
  const settings: [SandboxPart, readonly unknown[]][] = [
    ['database', [env.databaseUrl]],
    ['keys', [env.masterKey, ...signersOf(env)]],
    ['chains', [env.chains]],
    ['prices', [env.priceUrl]],
    ['router', [env.routerUrl]],
    ['verifier', [env.kycUrl, env.kycApiKey, env.kycWebhookSecret, env.kycWorkflowId]],
    ['mail', [env.smtpUrl, env.mailFrom]],
  ]
  return settings.filter(([, needed]) => needed.includes(undefined)).map(([part]) => part)
}

/** The rails whose providers the environment does not fully configure, by name. */
function missingRails({ railEnvironment }: Env): string[] {
  const isMissing = (variable: string): boolean => railEnvironment[variable] === undefined
  return RAILS.filter(({ environment }) => environment.required.some(isMissing)).map(({ name }) => name)
}
