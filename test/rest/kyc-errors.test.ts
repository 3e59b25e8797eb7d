import { generatePrivateKey, privateKeyToAccount } from 'viem/accounts'
import { describe, expect, it } from 'vitest'
import { ROUTES } from '../../rest-compat/routes.js'
import { startDeadSubgraphs } from '../harness/dead-subgraphs.js'
import type { Answer } from '../harness/http.js'
import { newEmail, newestCode, proveEmail } from '../harness/rest-kyc.js'
import type { TestTenant } from '../harness/tenants.js'
import { startHarness } from '../harness/harness.js'
import type { RestCall } from '../harness/rest.js'
import { commonCases, itAnswersItsErrors, pathToNobody, type Cases } from '../harness/route-errors.js'
import { postJson } from '../harness/control.js'

/** Short, as it is waited for, and long enough for a loaded machine to answer all else. */
const TIMEOUT_MS = 2_000
/** What answers too late. */
const LATE_MS = TIMEOUT_MS + 1_000

const CREATE = '/kyc/create/verify_public_kyc'

const harness = await startHarness({ KYC_MONTHLY_QUOTA: '40' }, { kycTimeoutMs: TIMEOUT_MS })
const tenant = harness.tenant
const overDead = await startDeadSubgraphs()

const post = (path: string, body: unknown, call: RestCall = {}): Promise<Answer> =>
  harness.rest('POST', path, { as: tenant, body, ...call })
const status = (query: string, as: TestTenant | string = tenant): Promise<Answer> =>
  harness.rest('GET', `/kyc/status?${query}`, { as })
const fault = (url: string, body: object) => postJson(`${url}/sandbox/faults`, body)

async function provokeTimeouts(): Promise<Readonly<Record<string, Answer>>> {
  const { message } = await challenged()
  const [proved, toProve] = [await proveEmail(harness, tenant), await prepared()]
  await fault(harness.kycUrl, { mode: 'slow', times: 1, ms: LATE_MS })
  await fault(harness.mailboxUrl.replace('/mailbox', ''), { mode: 'slow', times: 1, ms: LATE_MS })
  harness.rpc.onCall = async () => {
    await new Promise((resolve) => setTimeout(resolve, LATE_MS).unref())
    return 'pass' as const
  }
  const answers = await Promise.all([
    post(CREATE, { email: proved }),
    post('/security/email/send-otp', { email: toProve }),
    post('/kyc/prepare-wallet', { message, signed_bytes: `0x${'ab'.repeat(80)}` }),
  ])
  harness.rpc.onCall = () => 'pass'
  return { [CREATE]: answers[0], '/security/email/send-otp': answers[1], '/kyc/prepare-wallet': answers[2] }
}

async function challenged(account = privateKeyToAccount(generatePrivateKey())) {
  const answer = await post('/security/wallet/challenge', { wallet: account.address })
  const message = String(answer.body.data?.['message'])
  return { account, message, signed_bytes: await account.signMessage({ message }) }
}

/** How each error of each path is provoked. */
const CASES: Readonly<Record<string, Cases>> = {
  'POST /kyc/prepare': {
    missing_params: () => post('/kyc/prepare', {}),
    validation_error: () => post('/kyc/prepare', { email: 'ana' }),
    verify_quota_exceeded: async () => post('/kyc/prepare', { email: newEmail() }, { as: await exhausted() }),
  },
  'POST /security/email/send-otp': {
    missing_params: () => post('/security/email/send-otp', {}),
    user_not_found: () => post('/security/email/send-otp', { email: newEmail() }),
    email_already_verified: async () => post('/security/email/send-otp', { email: await proveEmail(harness, tenant) }),
    otp_rate_limited: async () => {
      const email = await prepared()
      for (let count = 0; count < 5; count += 1) await post('/security/email/send-otp', { email })
      return post('/security/email/send-otp', { email })
    },
    provider_unavailable: async () => {
      await fault(harness.mailboxUrl.replace('/mailbox', ''), { mode: 'error', times: 1 })
      return post('/security/email/send-otp', { email: await prepared() })
    },
  },
  'POST /security/email/verify-otp': {
    missing_params: () => post('/security/email/verify-otp', { email: newEmail() }),
    user_not_found: () => post('/security/email/verify-otp', { email: newEmail(), code: '000000' }),
    email_already_verified: async () =>
      post('/security/email/verify-otp', { email: await proveEmail(harness, tenant), code: '000000' }),
    otp_invalid: async () => post('/security/email/verify-otp', { email: await prepared(), code: '000000' }),
    otp_expired: async () => {
      const { email, code } = await sent()
      harness.clock.advance(600_000)
      return post('/security/email/verify-otp', { email, code })
    },
    otp_max_attempts: async () => {
      const { email, code } = await sent()
      for (let count = 0; count < 5; count += 1) await post('/security/email/verify-otp', { email, code: 'wrong' })
      return post('/security/email/verify-otp', { email, code })
    },
  },
  'GET /kyc/status': {
    missing_params: () => status(''),
    validation_error: () => status('email=ana&email=bea'),
    kyc_not_found: () => status(`email=${newEmail()}`),
  },
  'POST /security/wallet/challenge': {
    missing_params: () => post('/security/wallet/challenge', {}),
    validation_error: () => post('/security/wallet/challenge', { wallet: 7 }),
    invalid_wallet: () => post('/security/wallet/challenge', { wallet: '0x12' }),
  },
  'POST /kyc/prepare-wallet': {
    missing_params: () => post('/kyc/prepare-wallet', { message: 'x' }),
    signature_invalid: async () => {
      const { message } = await challenged()
      const stranger = privateKeyToAccount(generatePrivateKey())
      return post('/kyc/prepare-wallet', { message, signed_bytes: await stranger.signMessage({ message }) })
    },
    challenge_invalid: async () => {
      const { message, signed_bytes } = await challenged()
      return post('/kyc/prepare-wallet', { message: `${message}.`, signed_bytes })
    },
    challenge_expired: async () => {
      const { message, signed_bytes } = await challenged()
      harness.clock.advance(600_000)
      return post('/kyc/prepare-wallet', { message, signed_bytes })
    },
    email_already_linked: async () => {
      const email = newEmail()
      const [first, second] = [await challenged(), await challenged()]
      await post('/kyc/prepare-wallet', { message: first.message, signed_bytes: first.signed_bytes, email })
      return post('/kyc/prepare-wallet', { message: second.message, signed_bytes: second.signed_bytes, email })
    },
    verify_quota_exceeded: async () => {
      const as = await exhausted()
      const account = privateKeyToAccount(generatePrivateKey())
      const challenge = await post('/security/wallet/challenge', { wallet: account.address }, { as })
      const message = String(challenge.body.data?.['message'])
      return post('/kyc/prepare-wallet', { message, signed_bytes: await account.signMessage({ message }) }, { as })
    },
    provider_unavailable: async () => {
      const { message } = await challenged()
      harness.rpc.onCall = () => 'cut'
      // Not an account's signature, so the wallet has to be asked on the chain.
      const answer = await post('/kyc/prepare-wallet', { message, signed_bytes: `0x${'ab'.repeat(80)}` })
      harness.rpc.onCall = () => 'pass'
      return answer
    },
  },
  [`POST ${CREATE}`]: {
    missing_params: () => post(CREATE, {}),
    user_not_prepared: () => post(CREATE, { email: newEmail() }),
    identity_not_verified: async () => post(CREATE, { email: await prepared() }),
    verify_quota_exceeded: async () => {
      const as = await harness.dashboard.newTenant()
      const email = await proveEmail(harness, as)
      await exhausted(as)
      return post(CREATE, { email }, { as })
    },
    provider_unavailable: async () => {
      const email = await proveEmail(harness, tenant)
      await fault(harness.kycUrl, { mode: 'error', times: 1 })
      return post(CREATE, { email })
    },
  },
}

/** What waits for time-outs of the product, all beside each other. */
const timeouts = await provokeTimeouts()

const rows = ROUTES.filter(({ subgraph }) => subgraph === 'kyc')

describe.each(rows.map((route) => [`${route.method} ${route.path}`, route] as const))('%s', (name, route) => {
  const { method, path } = route
  const good = {
    path: () => pathToNobody(route),
    body: () => (method === 'GET' ? Promise.resolve(undefined) : goodBody(path)),
  }
  const waited = timeouts[path]

  itAnswersItsErrors(name, route, {
    ...commonCases(harness, route, overDead, good),
    product_disabled: async () =>
      harness.rest(method, path, { as: await harness.dashboard.newTenant({ products: ['pix'] }) }),
    ...CASES[name],
    ...(waited && { provider_timeout: () => Promise.resolve(waited) }),
  })

  it('answers product_disabled to a tenant without the product, before it looks at the body', async () => {
    const as = await harness.dashboard.newTenant({ products: ['crypto'] })
    const bad = route.method === 'POST' && { body: '{' }
    const { body } = await harness.rest(route.method, route.path, { as, ...bad })
    expect(body).toMatchObject({ statusCode: 403, status: 'product_disabled' })
  })
})

/** A body that the path takes as far as it claims its idempotency key. */
async function goodBody(path: string): Promise<object> {
  if (path === '/kyc/prepare') return { email: newEmail() }
  if (path === '/security/email/send-otp') return { email: await prepared() }
  if (path === '/security/email/verify-otp') return { email: await prepared(), code: '000000' }
  if (path === CREATE) return { email: await proveEmail(harness, tenant) }
  if (path === '/security/wallet/challenge') return { wallet: privateKeyToAccount(generatePrivateKey()).address }
  const { message, signed_bytes } = await challenged()
  return { message, signed_bytes }
}

async function prepared(): Promise<string> {
  const email = newEmail()
  await post('/kyc/prepare', { email })
  return email
}

async function sent(): Promise<{ email: string; code: string }> {
  const email = await prepared()
  await post('/security/email/send-otp', { email })
  return { email, code: await newestCode(harness, email) }
}

/** A tenant whose quota of sessions is used up. */
async function exhausted(of?: TestTenant): Promise<TestTenant> {
  const owner = of ?? (await harness.dashboard.newTenant())
  await harness.sql(
    `insert into kyc.session (tenant_id, id, verifier, subject_kind, provider_session_id, status, checked_at, created_at)
      select $1, 'used-' || n, 'didit', 'person', $1 || '-' || n, 'declined', $2::timestamptz, $2::timestamptz
      from generate_series(1, 40) n`,
    [owner.id, harness.clock.now().toISOString()],
  )
  return owner
}

describe('a bad input', () => {
  it('is missing_params where fields are absent only, and otherwise names each field', async () => {
    const asked = async (body: unknown) => (await post('/security/email/verify-otp', body)).body
    expect(await asked({})).not.toHaveProperty('errors')
    expect(await asked({ email: 7 })).toMatchObject({ errors: [{ field: 'email' }, { field: 'code' }] })
    expect(await asked('{')).toMatchObject({ status: 'validation_error', errors: [{ field: 'body' }] })
  })
})

describe('any other last path segment', () => {
  it('is method_not_found, for those who have a key and the product', async () => {
    for (const segment of ['verify', 'verify_public_kyb', 'VERIFY_PUBLIC_KYC']) {
      const path = `/kyc/create/${segment}`
      expect((await post(path, {})).body).toMatchObject({ statusCode: 404, status: 'method_not_found' })
      expect((await tenant.get(path)).status).toBe(405)
      expect((await post(path, {}, { as: 'nonsense' })).body).toMatchObject({ status: 'unauthorized' })
      const without = await harness.dashboard.newTenant({ products: ['pix'] })
      expect((await post(path, {}, { as: without })).body).toMatchObject({ status: 'product_disabled' })
    }
  })
})
