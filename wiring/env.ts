import {
  describe,
  EnvError,
  flag,
  integer,
  listOf,
  oneOf,
  readEnv,
  secretKey,
  text,
  url,
  urlMap,
  wordList,
  type Values,
} from '../kernel/env.js'
import { PRODUCTS } from '../kernel/tenant.js'

export const ROLES = ['all', 'gateway', 'payments', 'orders', 'yield', 'kyc', 'accounts', 'worker'] as const
export type Role = (typeof ROLES)[number]

/** Every variable of the product; a provider's own are listed with the provider. */
const VARIABLES = {
  port: integer('PORT', 'port to listen on', 4000, 0, 65_535),
  host: text('HOST', 'address to listen on', '127.0.0.1'),
  publicUrl: url('PUBLIC_URL', 'base of the links handed out; http://localhost:$PORT if not set'),
  dataDir: text('DATA_DIR', 'embedded database, chain state, sandbox.json', '.data'),
  databaseUrl: text('DATABASE_URL', 'a PostgreSQL, 15 or later, instead of the embedded one'),
  roles: listOf('ROLE', 'what this process plays', ROLES, ['all']),
  mode: oneOf('MODE', 'sandbox or live; sandbox if no provider is configured', ['sandbox', 'live']),
  products: listOf('PRODUCTS', 'enabled products', PRODUCTS, PRODUCTS),
  enabledFiats: wordList('ENABLED_FIATS', 'fiat currencies that payments may be in', /^[A-Z]{3}$/, ['BRL', 'USD']),
  chainsFile: text('CHAINS_FILE', 'JSON file of chains, RPC URLs, tokens, confirmations, split deployers'),
  rateLimitPerMinute: integer('RATE_LIMIT_PER_MINUTE', 'requests a minute per key; 0 is none', 600, 0, 1_000_000),
  apiKeyHeader: oneOf(
    'API_KEY_HEADER',
    'any-case behind a proxy that rewrites header names',
    ['exact', 'any-case'],
    'exact',
  ),
  publicClientIdPrefix: text('PUBLIC_CLIENT_ID_PREFIX', 'the fixed prefix of public_client_id'),
  cardRawEnabled: flag('CARD_RAW_ENABLED', 'whether raw card fields are taken', true),
  masterKey: secretKey('MASTER_KEY', 'signs callers and links, encrypts secrets; 64 hex characters, needed in live'),
  operatorKey: text('OPERATOR_EVM_KEY', 'private key that pays the gas of splits, 0x and 64 hex characters'),
  priceUrl: url('PRICE_BASE_URL', 'exchange ticker'),
  routerUrl: url('ROUTER_BASE_URL', 'crypto router'),
  routerApiKey: text('ROUTER_API_KEY', "the router's API key"),
  subgraphUrls: urlMap(
    'SUBGRAPH_URLS',
    'where the subgraphs of other processes are: payments=http://…/graphql,orders=…',
  ),
  logLevel: oneOf('LOG_LEVEL', 'how much is logged', ['debug', 'info', 'warn', 'error'], 'info'),
}

/** The environment as it was read; without a configured provider the product is its own sandbox. */
export type Env = Values<typeof VARIABLES> & { isLive: boolean; isUnderNpm: boolean }

/**
 * Reads the environment, once, at start.
 * @throws EnvError naming every problem at once
 */
export function loadEnv(environment: NodeJS.ProcessEnv = process.env): Env {
  const env = readEnv(VARIABLES, environment)
  const isLive = env.mode === 'live' || (env.mode === undefined && (env.priceUrl ?? env.routerUrl) !== undefined)
  const problems = isLive ? missingInLive(env) : []
  if (problems.length > 0) throw new EnvError(problems)
  return { ...env, isLive, isUnderNpm: environment['npm_lifecycle_event'] === 'start' }
}

/** Live starts no simulator: what an enabled product needs has to be configured. */
function missingInLive(env: Values<typeof VARIABLES>): string[] {
  const needed: [string, unknown, boolean][] = [
    ['MASTER_KEY', env.masterKey, true],
    ['DATABASE_URL', env.databaseUrl, true],
    ['PUBLIC_URL', env.publicUrl, true],
    ['CHAINS_FILE', env.chainsFile, env.products.includes('crypto')],
    ['PRICE_BASE_URL', env.priceUrl, true],
    ['OPERATOR_EVM_KEY', env.operatorKey, env.products.includes('crypto')],
  ]
  return needed.filter(([, value, needs]) => needs && value === undefined).map(([name]) => `${name} is needed in live`)
}

/** The text of `npm start -- --help`. */
export function helpText(): string {
  return ['Usage: npm start [-- --help]', '', 'Environment:', ...describe(VARIABLES)].join('\n')
}
