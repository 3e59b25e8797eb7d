import { parseChains } from '../chains/parse-chains.js'
import { parseTrustedDocuments } from '../gateway/graphql/trusted-documents.js'
import {
  amountMap,
  describe,
  EnvError,
  host,
  integer,
  jsonFile,
  listOf,
  oneOf,
  port,
  postgresUrl,
  readEnv,
  secretKey,
  smtpUrl,
  text,
  url,
  urlMap,
  wordList,
  type Values,
  type Variable,
} from '../kernel/env.js'
import { PRODUCTS } from '../kernel/tenant.js'
import { PRICE_VARIABLES } from '../subgraphs/payments/prices/environment.js'
import { SUBSCRIPTION_MAIL_VARIABLES } from '../subgraphs/payments/subscriptions/mails/environment.js'
import { RAILS } from '../subgraphs/payments/rails/registry.js'
import { parseYieldConfig } from '../subgraphs/yield/parse-yield-config.js'
import { providerVariables } from '../subgraphs/yield/providers/registry.js'
import { VERIFIERS } from '../subgraphs/kyc/verifiers/registry.js'
import { productionSigns } from './production-signs.js'
import { missingSigners, SIGNER_VARIABLES, signerProblems } from './signer-settings.js'
import { TRACING_VARIABLES, tracingProblems } from './tracing.js'

export const ROLES = [
  'all',
  'gateway',
  'payments',
  'orders',
  'yield',
  'kyc',
  'accounts',
  'worker',
  'authorizer',
] as const
export type Role = (typeof ROLES)[number]

/** Every variable of the product; a provider's own are listed with the provider. */
const VARIABLES = {
  port: integer('PORT', 'port to listen on', 4000, 0, 65_535),
  host: host('HOST', 'address to listen on', '127.0.0.1'),
  publicUrl: url('PUBLIC_URL', 'base of the links handed out; http://localhost:$PORT if not set'),
  dataDir: text('DATA_DIR', 'embedded database, chain state, sandbox.json', '.data'),
  databaseUrl: postgresUrl('DATABASE_URL', 'a PostgreSQL, 15 or later, instead of the embedded one'),
  roles: listOf('ROLE', 'what this process plays', ROLES, ['all']),
  mode: oneOf('MODE', 'sandbox or live; sandbox if nothing looks like production', ['sandbox', 'live']),
  products: listOf('PRODUCTS', 'enabled products', PRODUCTS, PRODUCTS),
  enabledFiats: wordList('ENABLED_FIATS', 'fiat currencies that payments may be in', /^[A-Z]{3}$/, ['BRL', 'USD']),
  chains: jsonFile('CHAINS_FILE', 'JSON file of chains, RPC URLs, tokens, confirmations, split deployers', parseChains),
  yieldMarkets: jsonFile('YIELD_MARKETS_FILE', 'JSON file of lending markets; see docs/yield.md', parseYieldConfig),
  yieldStrategiesTtlSeconds: integer('YIELD_STRATEGIES_TTL_SECONDS', 'how long strategies are cached', 600, 1, 36_000),
  trustedDocuments: jsonFile(
    'TRUSTED_DOCUMENTS_FILE',
    'manifest of GraphQL documents, of Apollo or Relay; keys then run no others',
    parseTrustedDocuments,
  ),
  rateLimitPerMinute: integer('RATE_LIMIT_PER_MINUTE', 'requests a minute per key; 0 is none', 600, 0, 1_000_000),
  apiKeyHeader: oneOf(
    'API_KEY_HEADER',
    'any-case behind a proxy that rewrites header names',
    ['exact', 'any-case'],
    'exact',
  ),
  trustedProxies: wordList(
    'TRUSTED_PROXIES',
    'addresses or networks of proxies that tell the address of the caller in X-Forwarded-For: 10.0.0.0/8',
    /^[\da-fA-F.:]+(\/\d{1,3})?$/,
    [],
  ),
  publicClientIdPrefix: text('PUBLIC_CLIENT_ID_PREFIX', 'the fixed prefix of public_client_id'),
  masterKey: secretKey('MASTER_KEY', 'signs callers and links, encrypts secrets; 64 hex characters, needed in live'),
  ...SIGNER_VARIABLES,
  priceUrl: url('PRICE_BASE_URL', 'exchange ticker'),
  ...PRICE_VARIABLES,
  oracleUrl: url('ORACLE_BASE_URL', 'Pyth Hermes, which confirms what the tickers say'),
  oracleApiKey: text('ORACLE_API_KEY', "the oracle's API key"),
  walletListFile: text('WALLET_LIST_FILE', 'file of wallets that may neither pay nor be paid, one on each line'),
  sanctionsOracles: wordList(
    'SANCTIONS_ORACLES',
    'contracts with isSanctioned(address) by chain: polygon=0x40C57923924B5c5c5455c48D93317139ADDaC8fb',
    /^[a-z0-9-]+=0x[\da-fA-F]{40}$/,
    [],
  ),
  payouts: oneOf('PAYOUTS', 'paused: nobody is paid out; nothing else stops', ['on', 'paused'], 'on'),
  twoPeopleAbove: amountMap(
    'OPERATOR_TWO_PEOPLE_ABOVE',
    'above which sums an act of an operator about payouts needs a second one: USDT=5000,USDC=5000',
    {},
  ),
  routerUrl: url('ROUTER_BASE_URL', 'crypto router'),
  routerApiKey: text('ROUTER_API_KEY', "the router's API key"),
  previousMasterKey: secretKey('MASTER_KEY_PREVIOUS', 'opens what an earlier key has sealed, until it is sealed again'),
  smtpUrl: smtpUrl('SMTP_URL', 'the mail server of one-time codes: smtp://user:password@host:587 or smtps://…'),
  mailFrom: text('MAIL_FROM', 'the sender of e-mails, e.g. Example <no-reply@example.com>'),
  ...SUBSCRIPTION_MAIL_VARIABLES,
  kycVerifier: oneOf(
    'KYC_VERIFIER',
    'the verification provider',
    VERIFIERS.map(({ name }) => name),
    'didit',
  ),
  kycUrl: url('KYC_BASE_URL', "the verification provider's API"),
  kycApiKey: text('KYC_API_KEY', "the verification provider's API key"),
  kycWorkflowId: text('KYC_WORKFLOW_ID', 'its workflow for natural persons'),
  kycBusinessWorkflowId: text('KYC_BUSINESS_WORKFLOW_ID', 'its workflow for businesses'),
  kycWebhookSecret: text('KYC_WEBHOOK_SECRET', 'with which it signs its callbacks to /callbacks/kyc/<provider>'),
  kycMonthlyQuota: integer(
    'KYC_MONTHLY_QUOTA',
    'verification sessions that an integration may create in 30 days',
    500,
    0,
    1_000_000,
  ),
  kycApprovalDays: integer('KYC_APPROVAL_DAYS', 'how long an approval holds', 365, 1, 36_500),
  subgraphUrls: urlMap(
    'SUBGRAPH_URLS',
    'where the subgraphs of other processes are: payments=http://…/graphql,orders=…',
  ),
  blockSeconds: integer(
    'SANDBOX_BLOCK_SECONDS',
    "block time of the sandbox's EVM chain; 0 mines each transaction at once",
    0,
    0,
    60,
  ),
  confirmations: integer('SANDBOX_CONFIRMATIONS', 'confirmations asked for on that chain', 1, 1, 64),
  clockSkewSeconds: integer(
    'SANDBOX_CLOCK_SKEW_SECONDS',
    "how far this process's clock is off in the sandbox; may be negative",
    0,
    -3600,
    3600,
  ),
  ...TRACING_VARIABLES,
  metricsPort: port('METRICS_PORT', 'port of GET /metrics for Prometheus; not set: there is none'),
  metricsHost: host('METRICS_HOST', 'address that GET /metrics listens on', '127.0.0.1'),
  operatorEmails: wordList(
    'OPERATOR_EMAILS',
    "e-mail addresses of the deployment's own people at the console; in the sandbox operator@example.com",
    /^[^\s@,]+@[^\s@,]+$/,
    [],
  ),
  mcpReadOnly: oneOf('MCP_READ_ONLY', 'on: the tools of /mcp only read', ['off', 'on'], 'off'),
  mcpConfirmAbove: integer(
    'MCP_CONFIRM_ABOVE',
    'amounts above this, in any currency, are confirmed by a person before a tool of /mcp moves them',
    1000,
    0,
    1_000_000_000,
  ),
  logLevel: oneOf('LOG_LEVEL', 'how much is logged', ['debug', 'info', 'warn', 'error'], 'info'),
}

/** The variables of the rails, by name. */
const RAIL_VARIABLES = byName(RAILS.flatMap(({ environment }) => Object.values(environment.variables)))

/** Every variable there is, by name. */
function all(): Record<string, Variable<unknown>> {
  return byName([VARIABLES, RAIL_VARIABLES, providerVariables()].flatMap((variables) => Object.values(variables)))
}

function byName(variables: readonly Variable<unknown>[]): Record<string, Variable<unknown>> {
  return Object.fromEntries(variables.map((variable) => [variable.name, variable]))
}

/** The environment as it was read; without a configured provider the product is its own sandbox. */
export type Env = Values<typeof VARIABLES> & {
  isLive: boolean
  isUnderNpm: boolean
  /** The yield providers' own variables, by their names. */
  yieldProviders: Readonly<Record<string, string | undefined>>
  /** The variables of the rails, as each rail reads them itself. */
  railEnvironment: NodeJS.ProcessEnv
}

/**
 * Reads the environment, once, at start.
 * @throws EnvError naming every problem at once
 */
export function loadEnv(environment: NodeJS.ProcessEnv = process.env): Env {
  readEnv(all(), environment)
  const env = readEnv(VARIABLES, environment)
  const railEnvironment = Object.fromEntries(
    Object.keys(RAIL_VARIABLES).map((name) => [name, environment[name] || undefined]),
  )
  const isRailLive = RAILS.some(({ environment: { required } }) => railEnvironment[required[0] ?? ''] !== undefined)
  const isLive =
    env.mode === 'live' ||
    (env.mode === undefined && (isRailLive || (env.priceUrl ?? env.routerUrl ?? env.kycUrl) !== undefined))
  const problems = [
    ...(isLive ? [] : unsaidSandbox(env, environment)),
    ...signerProblems(env),
    ...tracingProblems(env),
    ...authorizerProblems(env),
    ...unreachableConfirmations(env),
    ...(isLive
      ? [...missingInLive(env, railEnvironment), ...sandboxSecrets(environment), ...sandboxSettings(environment)]
      : []),
  ]
  if (problems.length > 0) throw new EnvError(problems)
  const yieldProviders = readEnv(providerVariables(), environment)
  return {
    ...env,
    yieldProviders,
    railEnvironment,
    isLive,
    isUnderNpm: environment['npm_lifecycle_event'] === 'start',
  }
}

/** What signs tenants listens where routers alone reach it: no client, and no subgraph's port. */
function authorizerProblems({ roles, subgraphUrls }: Values<typeof VARIABLES>): string[] {
  if (!roles.includes('authorizer')) return []
  return [
    ...(roles.length > 1 ? ['ROLE: authorizer has to be a process of its own'] : []),
    ...(subgraphUrls['accounts'] === undefined
      ? ['SUBGRAPH_URLS has to name accounts, where authorizer looks up keys']
      : []),
  ]
}

/**
 * Where the subgraphs are, for what reads nothing else of the environment.
 * @throws EnvError
 */
export function loadSubgraphUrls(environment: NodeJS.ProcessEnv = process.env): Readonly<Record<string, string>> {
  return readEnv({ urls: VARIABLES.subgraphUrls }, environment).urls
}

/** A sandbox that is open to the world has to be asked for. */
function unsaidSandbox(env: Values<typeof VARIABLES>, environment: NodeJS.ProcessEnv): string[] {
  const signs = productionSigns(env, environment)
  if (env.mode !== undefined || signs.length === 0) return []
  return [
    `MODE has to be set, as this looks like production: ${signs.join(', ')}. MODE=live, or MODE=sandbox if it is one`,
  ]
}

/** Live starts no simulator: what an enabled product needs has to be configured. */
function missingInLive(env: Values<typeof VARIABLES>, railEnvironment: NodeJS.ProcessEnv): string[] {
  const rails = RAILS.filter(({ product }) => env.products.includes(product))
  const required = rails.flatMap(({ environment }) => environment.required)
  const needed: [string, unknown, boolean][] = [
    ['MASTER_KEY', env.masterKey, true],
    ['DATABASE_URL', env.databaseUrl, true],
    ['PUBLIC_URL', env.publicUrl, true],
    ['CHAINS_FILE', env.chains, rails.length > 0],
    ['PRICE_BASE_URL', env.priceUrl, true],
    ...required.map((name): [string, unknown, boolean] => [name, railEnvironment[name], true]),
    ['SMTP_URL', env.smtpUrl, env.products.includes('kyc')],
    ['MAIL_FROM', env.mailFrom, env.products.includes('kyc')],
    ['KYC_BASE_URL', env.kycUrl, env.products.includes('kyc')],
    ['KYC_API_KEY', env.kycApiKey, env.products.includes('kyc')],
    ['KYC_WORKFLOW_ID', env.kycWorkflowId, env.products.includes('kyc')],
    ['KYC_WEBHOOK_SECRET', env.kycWebhookSecret, env.products.includes('kyc')],
  ]
  const missing = needed.filter(([, value, needs]) => needs && value === undefined).map(([name]) => name)
  return [...missing, ...missingSigners(env, { treasury: required.length > 0 })].map(
    (name) => `${name} is needed in live`,
  )
}

/** A chain that mines each transaction at once mines no block after the last one, so it would wait for ever. */
function unreachableConfirmations({ blockSeconds, confirmations }: Values<typeof VARIABLES>): string[] {
  if (confirmations === 1 || blockSeconds > 0) return []
  return ['SANDBOX_CONFIRMATIONS above 1 needs SANDBOX_BLOCK_SECONDS: nothing is mined after a transaction otherwise']
}

/** The simulators' secrets are known to everyone who has a sandbox: live takes none of them. */
function sandboxSecrets(environment: NodeJS.ProcessEnv): string[] {
  return Object.keys(all())
    .filter((name) => environment[name]?.startsWith('sandbox_'))
    .map((name) => `${name} is a secret of a sandbox, which live does not take`)
}

/** What makes a sandbox behave like the world has no meaning in the world. */
function sandboxSettings(environment: NodeJS.ProcessEnv): string[] {
  return Object.keys(all())
    .filter((name) => name.startsWith('SANDBOX_') && (environment[name] ?? '') !== '')
    .map((name) => `${name} is a setting of the sandbox, which live does not take`)
}

/** The text of `npm start -- --help`. */
export function helpText(): string {
  return ['Usage: npm start [-- --help]', '', 'Environment:', ...describe(all())].join('\n')
}
