import { hkdfSync } from 'node:crypto'
import type { Chain } from '../chains/chain.js'
import type { AdjustableClock, Clock } from '../kernel/clock.js'
import { idSource, type IdSource } from '../kernel/ids.js'
import type { Logger } from '../kernel/log.js'
import type { PartialSandbox } from '../sandbox/sandbox.js'
import { LIFI_DEFAULT_BASE_URL } from '../subgraphs/payments/router/lifi.js'
import { isMainnet, MAINNET_MARKETS } from '../subgraphs/yield/mainnet-markets.js'
import { NO_YIELD, parseYieldConfig, type YieldConfig } from '../subgraphs/yield/parse-yield-config.js'
import type { Env } from './env.js'
import { kycProviders, type KycProviders } from './kyc-providers.js'
import { paymentProviders, type PaymentProviders } from './payment-providers.js'
import { paymentSigners, type PaymentSigners } from './payment-signers.js'

/** What every part of this process is given. */
export interface Deployment {
  env: Env
  clock: Clock
  newId: IdSource
  log: Logger
  isSandbox: boolean
  databaseUrl: string
  publicUrl: string
  chains: readonly Chain[]
  yieldConfig: YieldConfig
  priceUrl: string
  realPriceUrl: string | undefined
  dollarPriceUrl: string | undefined
  oracle: { url: string; apiKey: string | undefined } | undefined
  routerUrl: string
  signers: PaymentSigners
  /** Signs the callers for the subgraphs. */
  callerKey: Buffer
  /** Of the fingerprints of requests with an idempotency key. */
  fingerprintKey: Buffer
  /** Signs the links of the hosted payment page. */
  linkKey: Buffer
  /** Of the one-time codes of the console. */
  codeKey: Buffer
  /** The e-mail addresses, in lower case, of the deployment's own people. */
  operatorEmails: ReadonlySet<string>
  /** Signs the confirmations that tools ask for. */
  confirmationKey: Buffer
  masterKey: Buffer
  /** The master key, and after it the one before as long as something is sealed with it. */
  masterKeys: readonly Buffer[]
  kyc: KycProviders
  paymentProviders: PaymentProviders
  /** Aborted when the process is told to stop. */
  stopping?: AbortSignal | undefined
}

/** Who operates a sandbox where nobody is named. */
export const SANDBOX_OPERATOR = 'operator@example.com'

/** What the parts are given: the environment where it says so, otherwise the sandbox. */
export function deploymentOf(
  env: Env,
  clock: AdjustableClock,
  log: Logger,
  sandbox: PartialSandbox | undefined,
): Deployment {
  const masterKey = required(env.masterKey ?? sandbox?.masterKey, 'MASTER_KEY')
  const chains = env.chains ?? sandbox?.chains ?? []
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
    signers: paymentSigners(env, sandbox, log),
    callerKey: derived('caller'),
    fingerprintKey: derived('idempotency'),
    linkKey: derived('session-link'),
    codeKey: derived('console-codes'),
    operatorEmails: new Set(operatorEmails.map((email) => email.toLowerCase())),
    confirmationKey: derived('mcp-confirmation'),
    masterKey,
    masterKeys: [masterKey, ...(env.previousMasterKey ? [env.previousMasterKey] : [])],
    kyc: kycProviders(env, sandbox),
    paymentProviders: paymentProviders(env, sandbox),
  }
}

/** The sandbox's exchange is its oracle too. */
function oracleOf(env: Env, sandbox: PartialSandbox | undefined): Deployment['oracle'] {
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
