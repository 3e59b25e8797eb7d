import { Keypair } from '@solana/web3.js'
import bs58 from 'bs58'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Hex } from 'viem'
import { privateKeyToAddress } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { EnvError } from '../kernel/env.js'
import { projectRoot } from '../kernel/root.js'
import { PRODUCTS } from '../kernel/tenant.js'
import { readCardSettings } from '../subgraphs/payments/rails/card/environment.js'
import { helpText, loadEnv } from './env.js'

const KEY = `0x${'ab'.repeat(32)}`

const signerOf = (key: string) => `web3signer:https://host?address=${privateKeyToAddress(key as Hex)}`

/** The settings that live says are missing. */
function missingFor(products: string, environment: NodeJS.ProcessEnv = {}): string[] {
  const problems = problemsOf({ MODE: 'live', PRODUCTS: products, ...environment })
  return problems.map((problem) => problem.split(' ')[0] ?? '')
}

function problemsOf(environment: NodeJS.ProcessEnv): readonly string[] {
  try {
    loadEnv(environment)
    return []
  } catch (error) {
    if (!(error instanceof EnvError)) throw error
    return error.problems
  }
}

describe('live', () => {
  it('needs nothing that docs/operations.md does not name', () => {
    const operations = readFileSync(join(projectRoot, 'docs', 'operations.md'), 'utf8')
    const settings = operations.slice(0, operations.indexOf('And these in some cases'))
    const missing = missingFor(PRODUCTS.join(','))
    expect(missing.length).toBeGreaterThan(20)
    expect(missing.filter((name) => !settings.includes(`\`${name}\``))).toEqual([])
  })

  it.each(PRODUCTS)('with only %s names all that the start asks for, so that it does not end one by one', (product) => {
    expect(missingFor(product)).toEqual(
      expect.arrayContaining(['DATABASE_URL', 'MASTER_KEY', 'PUBLIC_URL', 'PRICE_BASE_URL', 'OPERATOR_EVM_KEY']),
    )
  })
})

describe('the environment', () => {
  it('has what signs tenants for a router in a process of its own, which knows where accounts are', () => {
    const accounts = 'accounts=http://accounts:4000/accounts/graphql'
    const load = (ROLE: string, SUBGRAPH_URLS: string) => loadEnv({ MODE: 'sandbox', ROLE, SUBGRAPH_URLS })
    expect(load('authorizer', accounts).roles).toEqual(['authorizer'])
    expect(() => load('authorizer,gateway', accounts)).toThrow(/authorizer has to be a process of its own/)
    expect(() => load('authorizer', '')).toThrow(/SUBGRAPH_URLS has to name accounts/)
  })

  it('gives the operator and the treasury accounts of their own, in sandbox and live', () => {
    const shared = { OPERATOR_EVM_KEY: KEY, TREASURY_EVM_KEY: KEY.replace('ab', 'AB') }
    const problem = /OPERATOR_EVM_KEY and TREASURY_EVM_KEY are the same key/
    expect(() => loadEnv({ ...shared, MODE: 'sandbox' })).toThrow(problem)
    expect(() => loadEnv({ ...shared, MODE: 'live' })).toThrow(problem)
    const { operatorKey } = loadEnv({ ...shared, MODE: 'sandbox', TREASURY_EVM_KEY: `0x${'cd'.repeat(32)}` })
    expect(operatorKey).toBe(KEY)
  })

  it('takes a remote signer in place of a key, and never both; what is wrong is told without the value', () => {
    const account = `0x${'11'.repeat(20)}`
    const kms = `aws-kms:eu-west-1/hidden?address=${account}`
    const aws = { AWS_ACCESS_KEY_ID: 'AKID', AWS_SECRET_ACCESS_KEY: 'hidden' }
    const problemsOf = (environment: NodeJS.ProcessEnv): string => {
      try {
        loadEnv({ MODE: 'sandbox', ...environment })
        return ''
      } catch (error) {
        return (error as Error).message
      }
    }
    const { treasuryEvmSigners } = loadEnv({ MODE: 'sandbox', TREASURY_EVM_SIGNER: kms, ...aws })
    expect(treasuryEvmSigners).toMatchObject([{ region: 'eu-west-1' }])
    expect(problemsOf({ TREASURY_EVM_SIGNER: kms })).toBe(
      'TREASURY_EVM_SIGNER is in AWS KMS, which needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or the role of a container',
    )
    expect(problemsOf({ TREASURY_EVM_SIGNER: kms, AWS_CONTAINER_CREDENTIALS_RELATIVE_URI: '/role' })).toBe('')
    expect(problemsOf({ TREASURY_EVM_SIGNER: kms, TREASURY_EVM_KEY: KEY, ...aws })).toBe(
      'TREASURY_EVM_SIGNER and TREASURY_EVM_KEY are both set: take one of them out',
    )
    const web3Signer = `web3signer:https://u:hidden@host?address=${account}`
    expect(problemsOf({ TREASURY_EVM_SIGNER: kms, OPERATOR_EVM_SIGNER: web3Signer, ...aws })).toBe(
      'OPERATOR_EVM_SIGNER and TREASURY_EVM_SIGNER are the same key: they need accounts of their own',
    )
    expect(problemsOf({ OPERATOR_EVM_KEY: KEY, TREASURY_EVM_SIGNER: signerOf(KEY) })).toMatch('are the same key')
    for (const name of ['OPERATOR_EVM_SIGNER', 'TREASURY_EVM_SIGNER', 'TREASURY_SOLANA_SIGNER']) {
      expect(problemsOf({ [name]: 'hidden' })).toMatch(new RegExp(`^${name} must (?!.*hidden)`))
      expect(missingFor('pix', { [name]: signerOf(KEY) })).not.toContain(name.replace('SIGNER', 'KEY'))
    }
    expect(helpText()).toMatch(/OPERATOR_EVM_SIGNER .*web3signer:https.*aws-kms:region/)
  })

  it('takes several accounts of the treasury, and tells which of them is wrong or doubled without its text', () => {
    const keys = [1, 2, 3].map((place) => `0x${`0${place}`.repeat(32)}`)
    const solana = [1, 2].map((fill) => bs58.encode(Keypair.fromSeed(Buffer.alloc(32, fill)).secretKey))
    const load = (environment: NodeJS.ProcessEnv) => loadEnv({ MODE: 'sandbox', ...environment })
    expect(load({ TREASURY_EVM_KEY: keys.join(', ') }).treasuryEvmKeys).toEqual(keys)
    expect(load({ TREASURY_SOLANA_KEY: solana.join(' ') }).treasurySolanaKeys).toHaveLength(2)
    // The secret half alone names the same account.
    const seeds = solana.map((key) => bs58.encode(bs58.decode(key).subarray(0, 32)))
    expect(load({ TREASURY_SOLANA_KEY: seeds.join() }).treasurySolanaKeys?.map(({ length }) => length)).toEqual([
      32, 32,
    ])
    expect(() => load({ TREASURY_SOLANA_KEY: [...solana, seeds[0]].join() })).toThrow(
      'the same account in entries 1 and 3',
    )
    const mixed = bs58.encode(Buffer.concat([Buffer.alloc(32, 1), Buffer.alloc(32, 2)]))
    expect(() => load({ TREASURY_SOLANA_KEY: mixed })).toThrow('TREASURY_SOLANA_KEY must be a private key')
    const form = 'must be a private key: 0x and 64 hex characters'
    expect(() => load({ TREASURY_EVM_KEY: `${keys[0]},hidden,${keys[1]}` })).toThrow(
      `TREASURY_EVM_KEY ${form} (entry 2 of 3)`,
    )
    expect(() => load({ TREASURY_EVM_KEY: 'hidden' })).toThrow(`TREASURY_EVM_KEY ${form}`)
    expect(() => load({ TREASURY_EVM_KEY: ' , ' })).toThrow('TREASURY_EVM_KEY must not be empty')
    expect(() => load({ TREASURY_SOLANA_KEY: `${solana[0]} hidden` })).toThrow(
      'TREASURY_SOLANA_KEY must be a private key: base58 of 64 bytes (entry 2 of 2)',
    )
    const doubled = 'has the same account in entries 1 and 3: take one of them out'
    expect(() =>
      load({ TREASURY_EVM_KEY: [keys[2], keys[1], keys[2]?.toUpperCase().replace('X', 'x')].join() }),
    ).toThrow(`TREASURY_EVM_KEY ${doubled}`)
    expect(() => load({ TREASURY_SOLANA_KEY: [...solana, solana[0]].join() })).toThrow(`TREASURY_SOLANA_KEY ${doubled}`)
    const signers = [`0x${'11'.repeat(20)}`, `0x${'22'.repeat(20)}`].map(
      (address) => `web3signer:https://host?address=${address}`,
    )
    expect(load({ TREASURY_EVM_SIGNER: signers.join() }).treasuryEvmSigners).toHaveLength(2)
    expect(() => load({ TREASURY_EVM_SIGNER: [...signers, signers[0]].join() })).toThrow(
      `TREASURY_EVM_SIGNER ${doubled}`,
    )
    expect(() => load({ OPERATOR_EVM_KEY: keys[1], TREASURY_EVM_KEY: keys.join() })).toThrow(/are the same key/)
  })

  it('is refused with all that is wrong at once, each by its name', () => {
    const bad = { CHAINS_FILE: '/nope', DATABASE_URL: 'foo', HOST: '999.1.1.1', PIX_TLS_CA_FILE: '/nope', PORT: 'x' }
    expect(problemsOf(bad).map((problem) => problem.split(' ')[0])).toEqual(expect.arrayContaining(Object.keys(bad)))
    const readme = join(projectRoot, 'README.md')
    expect(problemsOf({ CHAINS_FILE: readme })).toEqual(['CHAINS_FILE must be a file of JSON'])
    const noChains = join(projectRoot, 'tsconfig.json')
    expect(problemsOf({ YIELD_MARKETS_FILE: noChains, CHAINS_FILE: noChains })).toHaveLength(2)
    for (const host of ['0.0.0.0', '::', '::1', 'localhost', 'gateway-1.internal']) {
      expect([
        host,
        problemsOf({ MODE: 'sandbox', HOST: host, DATABASE_URL: 'postgres://u:p@db:5432/payments' }),
      ]).toEqual([host, []])
    }
  })
})

describe('a start without MODE', () => {
  it.each([
    ['DATABASE_URL', 'postgres://db.example.com/payments'],
    ['PUBLIC_URL', 'https://pay.example.com'],
    ['HOST', '0.0.0.0'],
    ['MASTER_KEY', 'ab'.repeat(32)],
    ['CARD_SECRET_KEY', 'sk_abc'],
    ['KYC_WEBHOOK_SECRET', 'whsec'],
    ['SMTP_URL', 'smtps://user:password@mail.example.com'],
  ])('is no sandbox where %s looks like production, unless it is asked for', (name, value) => {
    const [problem, ...others] = problemsOf({ [name]: value })
    expect(problem).toMatch(new RegExp(`^MODE has to be set.*${name}.*MODE=live.*MODE=sandbox`))
    expect(problem).not.toContain(value)
    expect(others).toEqual([])
    expect(loadEnv({ [name]: value, MODE: 'sandbox' }).isLive).toBe(false)
  })

  it.each([
    {},
    { HOST: '127.0.0.1', PUBLIC_URL: 'http://localhost:4000' },
    { HOST: 'localhost' },
    { CARD_SECRET_KEY: 'sk_test_sandbox_abc' },
  ])('is a sandbox with %o', (environment) => {
    expect(loadEnv(environment).isLive).toBe(false)
  })

  it('is live where a provider is configured, and asks for all that live needs', () => {
    const problems = problemsOf({ PRICE_BASE_URL: 'https://api.example.com' })
    expect(problems).toContain('DATABASE_URL is needed in live')
  })
})

describe('the settings of the sandbox', () => {
  it.each(['SANDBOX_CLOCK_SKEW_SECONDS', 'SANDBOX_BLOCK_SECONDS', 'SANDBOX_CONFIRMATIONS'])(
    '%s is refused in live',
    (name) => {
      expect(() => loadEnv({ MODE: 'live', [name]: '1' })).toThrow(`${name} is a setting of the sandbox`)
      expect(helpText()).toContain(name)
    },
  )

  it('ask for no confirmation that nothing would bring', () => {
    expect(() => loadEnv({ SANDBOX_CONFIRMATIONS: '2' })).toThrow(/needs SANDBOX_BLOCK_SECONDS/)
    expect(loadEnv({ SANDBOX_CONFIRMATIONS: '2', SANDBOX_BLOCK_SECONDS: '2' }).confirmations).toBe(2)
  })
})

describe('a setting that the contract names', () => {
  it.each([
    ['ENABLED_FIATS', 'BRL,EUR', 'enabledFiats', ['BRL', 'EUR'], ['BRL', 'USD']],
    ['YIELD_STRATEGIES_TTL_SECONDS', '36000', 'yieldStrategiesTtlSeconds', 36_000, 600],
    ['PAYOUTS', 'paused', 'payouts', 'paused', 'on'],
    ['PUBLIC_CLIENT_ID_PREFIX', 'acme_', 'publicClientIdPrefix', 'acme_', undefined],
    ['RATE_LIMIT_PER_MINUTE', '0', 'rateLimitPerMinute', 0, 600],
    ['KYC_MONTHLY_QUOTA', '7', 'kycMonthlyQuota', 7, 500],
    ['API_KEY_HEADER', 'any-case', 'apiKeyHeader', 'any-case', 'exact'],
  ] as const)('%s=%s is read, and has its default', (name, value, setting, wanted, byDefault) => {
    expect(loadEnv({ [name]: value })[setting]).toEqual(wanted)
    expect(loadEnv({})[setting]).toEqual(byDefault)
  })

  it.each([
    ['YIELD_STRATEGIES_TTL_SECONDS', '36001'],
    ['ENABLED_FIATS', 'brl'],
    ['PAYOUTS', 'off'],
    ['CARD_RAW_ENABLED', 'no'],
  ])('%s=%s is refused by its name', (name, value) => {
    expect(() => loadEnv({ [name]: value })).toThrow(new RegExp(`^${name} must`))
  })

  it('CARD_RAW_ENABLED=false has cards taken as tokens only', () => {
    const processor = {
      baseUrl: 'http://localhost:1',
      secretKey: 's',
      publicKey: 'p',
      callbackUser: 'u',
      callbackPassword: 'w',
    }
    const isRawEnabled = (environment: NodeJS.ProcessEnv) =>
      readCardSettings(loadEnv(environment).railEnvironment, processor)?.isRawEnabled
    expect(isRawEnabled({})).toBe(true)
    expect(isRawEnabled({ CARD_RAW_ENABLED: 'false' })).toBe(false)
  })
})
