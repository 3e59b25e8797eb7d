import { randomBytes } from 'node:crypto'
import { createEvmClient } from '../chains/evm/client.js'
import { stopMailsLink } from '../checkout/stop-mails-link.js'
import { signSession } from '../checkout/session-link.js'
import { remoteReadiness } from '../gateway/remote-readiness.js'
import { remoteExecutor } from '../gateway/subgraph-client.js'
import { addressGuard } from '../kernel/address-guard.js'
import { keyRing } from '../kernel/encryption.js'
import type { RunningSubgraph, SubgraphExecutor } from '../kernel/subgraph.js'
import { tracedExecutor } from '../kernel/traced-executor.js'
import { PRODUCTS } from '../kernel/tenant.js'
import { WEBHOOK_SECRETS } from '../subgraphs/accounts/deps.js'
import { relyingPartyOf } from '../subgraphs/accounts/people/passkeys/relying-party.js'
import { startAccounts, type RunningAccounts } from '../subgraphs/accounts/server.js'
import { startKyc, type KycServerOptions } from '../subgraphs/kyc/server.js'
import { createVault } from '../subgraphs/kyc/vault.js'
import { startOrders } from '../subgraphs/orders/server.js'
import { priceRulesOf } from '../subgraphs/payments/prices/environment.js'
import { mailRulesOf } from '../subgraphs/payments/subscriptions/mails/environment.js'
import { startPayments } from '../subgraphs/payments/server.js'
import { startYield } from '../subgraphs/yield/server.js'
import type { WebhookDeps } from '../subgraphs/accounts/webhooks/deps.js'
import type { Deployment } from './deployment.js'

/** The names of the subgraphs, as the supergraph has them. */
export const SUBGRAPH_NAMES = ['payments', 'orders', 'yield', 'kyc', 'accounts'] as const
export type SubgraphName = (typeof SUBGRAPH_NAMES)[number]

/** The subgraphs as this process reaches them: some here, the others over HTTP. */
export interface Subgraphs {
  executors: Record<SubgraphName, SubgraphExecutor>
  local: Partial<Record<SubgraphName, RunningSubgraph>>
  accounts: RunningAccounts | undefined
  /** Whether the databases of all that run here answer. */
  isReady: () => Promise<boolean>
  close: () => Promise<void>
}

/** Connections of one subgraph; PostgreSQL's default of 100 is shared by all processes. */
const POOL_SIZE = 10
/** How long a price is locked for one payment. */
const QUOTE_LIFE_MS = 15 * 60_000

/**
 * Starts the named subgraphs in this process and connects to the others.
 * @param renderEvent what the deliveries show; it needs the subgraphs itself, so it is only called once they run
 */
export async function startSubgraphs(
  deployment: Deployment,
  names: readonly SubgraphName[],
  renderEvent: WebhookDeps['renderEvent'],
): Promise<Subgraphs> {
  const { env, clock, newId, log, isSandbox, databaseUrl, chains } = deployment
  const local: Partial<Record<SubgraphName, RunningSubgraph>> = {}
  const guard = addressGuard({ allowLoopback: isSandbox, allowHttp: isSandbox, clock })
  const executors = Object.fromEntries(
    SUBGRAPH_NAMES.map((name) => [name, tracedExecutor(name, executorOf(deployment, name, local))]),
  ) as Subgraphs['executors']
  const { enabledFiats, publicClientIdPrefix: prefix } = env
  const settings = { enabledFiats, chains, publicClientIdPrefix: prefix, allowsLoopback: isSandbox }
  const database = { databaseUrl, poolSize: POOL_SIZE, log, stopping: deployment.stopping }
  // What orders and payments have in common: both have terms.
  const ofTerms = { ...database, clock, newId, settings, checkAddress: guard.check }
  let accounts: RunningAccounts | undefined
  if (names.includes('accounts')) {
    accounts = await startAccounts({ ...database, ...accountsOptions(deployment), renderEvent })
    local.accounts = accounts
  }
  if (names.includes('orders')) {
    local.orders = await startOrders({ ...ofTerms, accounts: executors.accounts })
  }
  if (names.includes('kyc')) {
    local.kyc = await startKyc({ ...database, clock, newId, ...kycOptions(deployment) })
  }
  if (names.includes('payments')) {
    local.payments = await startPayments({
      ...ofTerms,
      quoteLifeMs: QUOTE_LIFE_MS,
      ...{ arePayoutsPaused: env.payouts === 'paused', twoPeopleAbove: env.twoPeopleAbove },
      sessionLink: (payment) => `${deployment.publicUrl}/pay/${signSession(payment, deployment.linkKey)}`,
      priceUrl: deployment.priceUrl,
      ...{ realPriceUrl: deployment.realPriceUrl, dollarPriceUrl: deployment.dollarPriceUrl },
      oracle: deployment.oracle,
      priceRules: priceRulesOf(env),
      screening: { listFile: env.walletListFile, oracles: byChain(env.sanctionsOracles) },
      routerUrl: deployment.routerUrl,
      routerApiKey: env.routerApiKey,
      ...deployment.signers,
      ...deployment.paymentProviders,
      ...{ publicUrl: deployment.publicUrl, mail: deployment.kyc.mail, ...payerMails(deployment) },
      masterKey: deployment.masterKey,
      previousMasterKeys: deployment.masterKeys.slice(1),
      peers: executors,
    })
  }
  if (names.includes('yield')) {
    local.yield = await startYield({ ...database, clock, chains, ...yieldSettings(env, deployment) })
  }
  const close = async (): Promise<void> => {
    guard.close()
    await Promise.all(Object.values(local).map((subgraph) => subgraph.close()))
  }
  return { executors, local, accounts, isReady: () => areReady(local), close }
}

/** How payers of subscriptions are asked; nothing where none is to be. */
function payerMails({ env, publicUrl, linkKey }: Deployment) {
  if (env.subscriptionMailsPerHour === 0) return {}
  const stopLink = (subscription: { tenantId: string; id: string }): string =>
    stopMailsLink(publicUrl, subscription, linkKey)
  return { subscriptionMails: { rules: mailRulesOf(env), stopLink } }
}

/** What accounts are started with besides what all subgraphs have. */
function accountsOptions(deployment: Deployment) {
  const { env, clock, newId, isSandbox, masterKeys, yieldConfig, operatorEmails, codeKey, kyc, publicUrl } = deployment
  // In live an operator gives a new tenant its products.
  const ofMode = isSandbox
    ? ({ newTenantProducts: PRODUCTS, keyMode: 'test' } as const)
    : ({ newTenantProducts: [], keyMode: 'live' } as const)
  return {
    ...{ clock, newId, isSandbox },
    random: randomBytes,
    keyRing: keyRing(masterKeys, WEBHOOK_SECRETS),
    publicClientIdPrefix: env.publicClientIdPrefix ?? 'pk_',
    hasMarkets: yieldConfig.markets.some(({ isEnabled }) => isEnabled),
    people: {
      ...{ operatorEmails, codeKey, ...ofMode, mail: kyc.mail },
      ...{ relyingParty: relyingPartyOf(publicUrl), consoleUrl: `${publicUrl}/console` },
    },
  }
}

/** Texts such as `polygon=0x…` by the chains' names. */
function byChain(texts: readonly string[]): Record<string, string> {
  return Object.fromEntries(texts.map((text) => text.split('=', 2) as [string, string]))
}

async function areReady(local: Subgraphs['local']): Promise<boolean> {
  const ready = await Promise.all(Object.values(local).map((subgraph) => subgraph.isReady()))
  return ready.every(Boolean)
}

/** What the deployment decides about yield. */
function yieldSettings(env: Deployment['env'], { yieldConfig: config }: Deployment) {
  const { yieldStrategiesTtlSeconds: strategiesTtlSeconds, yieldProviders: environment } = env
  return { config, strategiesTtlSeconds, environment }
}

/** Reaches a subgraph where it is: in this process once it has started, otherwise at its address. */
function executorOf(
  { env, callerKey, clock, log }: Deployment,
  name: SubgraphName,
  local: Subgraphs['local'],
): SubgraphExecutor {
  const url = env.subgraphUrls[name]
  const remote = url === undefined ? undefined : remoteExecutor({ name, url, signingKey: callerKey, clock, log })
  return (request) => {
    const execute = local[name]?.execute ?? remote
    if (!execute) throw new Error(`the subgraph ${name} is neither in this process nor named in SUBGRAPH_URLS`)
    return execute(request)
  }
}

/** Whether the subgraphs answer that this process does not have itself. */
export function remotesReadiness(
  { env, callerKey, clock, log }: Deployment,
  local: Subgraphs['local'],
): () => Promise<boolean> {
  const remotes = SUBGRAPH_NAMES.flatMap((name) => {
    const url = env.subgraphUrls[name]
    return local[name] || url === undefined ? [] : [{ name, url, signingKey: callerKey, clock, log }]
  })
  return remoteReadiness(remotes)
}

/** What the kyc subgraph is started with besides what all subgraphs have. */
function kycOptions(
  deployment: Deployment,
): Pick<KycServerOptions, 'settings' | 'vault' | 'evmClient' | 'mail' | 'verifier' | 'timeoutMs'> {
  const { env, chains, publicUrl, masterKeys, kyc } = deployment
  const evmChain = chains.find((chain) => chain.family === 'evm')
  return {
    ...kyc,
    vault: createVault(masterKeys),
    evmClient: evmChain && createEvmClient(evmChain, { timeoutMs: kyc.timeoutMs }),
    settings: {
      monthlyQuota: env.kycMonthlyQuota,
      approvalLifeMs: env.kycApprovalDays * 86_400_000,
      issuer: {
        domain: new URL(publicUrl).host,
        uri: publicUrl,
        evmChainId: evmChain?.chainId ?? 1,
        solanaCluster: 'mainnet',
      },
    },
  }
}
