import { hkdfSync } from 'node:crypto'
import type { Chain } from '../chains/chain.js'
import type { Clock } from '../kernel/clock.js'
import { idSource } from '../kernel/ids.js'
import type { Logger } from '../kernel/log.js'
import type { PartialSandbox } from '../sandbox/sandbox.js'
import { LIFI_DEFAULT_BASE_URL } from '../subgraphs/payments/router/lifi.js'
import { isMainnet, MAINNET_MARKETS } from '../subgraphs/yield/mainnet-markets.js'
import { NO_YIELD, parseYieldConfig, type YieldConfig } from '../subgraphs/yield/parse-yield-config.js'
import type { Env } from './env.js'
import { kycProviders } from './kyc-providers.js'
import { paymentProviders } from './payment-providers.js'
import { paymentSigners, withOwnAccounts } from './payment-signers.js'

/** What every part of this process is given. */
export type Deployment = ReturnType<typeof deploymentOf> & {
  /** Aborted when the process is told to stop. */
  stopping?: AbortSignal | undefined
}

/** Who operates a sandbox where nobody is named. */
export const SANDBOX_OPERATOR = 'operator@example.com'

/** What the parts are given: the environment where it says so, otherwise the sandbox. */
export function deploymentOf(env: Env, clock: Clock, log: Logger, sandbox: PartialSandbox | undefined) {
  const masterKey = required(env.masterKey ?? sandbox?.masterKey, 'MASTER_KEY')
  const signers = paymentSigners(env, sandbox, log)
  const chains = (env.chains ?? sandbox?.chains ?? []).map((chain) => withOwnAccounts(chain, signers))
  const operatorEmails = env.operatorEmails.length > 0 || env.isLive ? env.operatorEmails : [SANDBOX_OPERATOR]
  const derived = (purpose: string): Buffer => Buffer.from(hkdfSync('sha256', masterKey, '', purpose, 32))
  return {
    env,
    clock,
    log,
    newId: idSource(() => clock.now()),
    isSandbox: !env.isLive,
    databaseUrl: required(env.databaseUrl ?? sandbox?.databaseUrl, 'DATABASE_URL'),
    publicUrl: env.publicUrl ?? `http://localhost:${env.port}`,
    chains,
    yieldConfig: yieldConfig(env, sandbox, chains),
    priceUrl: required(env.priceUrl ?? sandbox?.priceUrl, 'PRICE_BASE_URL'),
    realPriceUrl: env.realPriceUrl ?? (env.priceUrl === undefined ? sandbox?.priceUrl : undefined),
    dollarPriceUrl: env.dollarPriceUrl ?? (env.priceUrl === undefined ? sandbox?.priceUrl : undefined),
    oracle: oracleOf(env, sandbox),
    routerUrl: env.routerUrl ?? sandbox?.routerUrl ?? LIFI_DEFAULT_BASE_URL,
    signers,
    /** Signs the callers for the subgraphs. */
    callerKey: derived('caller'),
    /** Of the fingerprints of requests with an idempotency key. */
    fingerprintKey: derived('idempotency'),
    /** Signs the links of the hosted payment page. */
    linkKey: derived('session-link'),
    /** Of the one-time codes of the console. */
    codeKey: derived('console-codes'),
    /** The e-mail addresses, in lower case, of the deployment's own people. */
    operatorEmails: new Set(operatorEmails.map((email) => email.toLowerCase())),
    /** Signs the confirmations that tools ask for. */
    confirmationKey: derived('mcp-confirmation'),
    masterKey,
    /** The master key, and after it the one before as long as something is sealed with it. */
    masterKeys: [masterKey, ...(env.previousMasterKey ? [env.previousMasterKey] : [])],
    kyc: kycProviders(env, sandbox),
    paymentProviders: paymentProviders(env, sandbox),
  }
}

/** The sandbox's exchange is its oracle too. */
function oracleOf(env: Env, sandbox: PartialSandbox | undefined) {
  const url = env.oracleUrl ?? (env.priceUrl === undefined ? sandbox?.priceUrl : undefined)
  return url === undefined ? undefined : { url, apiKey: env.oracleApiKey }
}

function required<T>(value: T | undefined, name: string): T {
  if (value === undefined) throw new Error(`${name} is needed`)
  return value
}

/** The file's markets; otherwise those of the sandbox's own chain, or of mainnet in live, as long as that is the chain used. */
function yieldConfig(env: Env, sandbox: PartialSandbox | undefined, chains: readonly Chain[]): YieldConfig {
  if (env.yieldMarkets) return env.yieldMarkets
  if (sandbox?.yieldMarkets && !env.chains) return parseYieldConfig(sandbox.yieldMarkets)
  const mainnet = env.isLive ? chains.find((chain) => chain.family === 'solana' && isMainnet(chain)) : undefined
  return mainnet ? parseYieldConfig({ ...MAINNET_MARKETS, chain: mainnet.name }) : NO_YIELD
}
