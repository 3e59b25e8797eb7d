import type { Keypair } from '@solana/web3.js'
import { keccak256 } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { freshAddress, fund } from '../harness/solana-side.js'
import type { Product } from '../../kernel/tenant.js'
import { CONTRACTS } from '../harness/chains.js'
import { signRequest } from '../../sandbox/demo/sign-request.js'
import { spendAll } from '../harness/evm-side.js'
import { fault } from '../harness/control.js'
import type { Answer } from '../harness/http.js'
import { newEmail, proveEmail } from '../harness/rest-kyc.js'
import {
  CREATE_TRANSACTION,
  EXECUTE,
  orderBody,
  REGISTER,
  registerBody,
  type SignedPayment,
  transactionBody,
} from '../harness/rest-payments.js'
import { signedSolanaPayment, solanaTerms } from '../harness/rest-solana.js'
import type { RestCall } from '../harness/rest.js'
import { NOBODY, type Cases, type Good } from '../harness/route-errors.js'
import { startHarness } from '../harness/harness.js'
import { atEnd } from '../harness/at-end.js'

// Without the other price sources: what the first one does has to reach the caller.
const NOWHERE_URL = 'http://127.0.0.1:9'
const NOWHERE = { ORACLE_BASE_URL: NOWHERE_URL, DOLLAR_PRICE_BASE_URL: NOWHERE_URL, REAL_PRICE_BASE_URL: NOWHERE_URL }
export const harness = await startHarness({ MODE: 'sandbox', ...NOWHERE })
const { tenant } = harness
const payer = await harness.chain.newPayer()
/** What needs its time: the product itself waits for an answer that does not come. */
const slow = new Map<string, Promise<Answer>>()
const call = (method: string, path: string, options: RestCall = {}) =>
  harness.rest(method, path, { as: tenant, ...options })

const aTransaction = async (terms = {}) => transactionBody(await tenant.register(terms), payer.address)
const aSigned = async (from?: PrivateKeyAccount, terms = {}): Promise<SignedPayment> =>
  tenant.signedPayment(from ?? (await harness.chain.newPayer()), terms)
const aSolanaSigned = (from: Keypair) => signedSolanaPayment(tenant, from, solanaTerms([freshAddress()]))
const executeBody = ({ id, raw }: SignedPayment) => ({ payment_id: id, signed_transaction: raw })
let sharedOrder: Promise<string> | undefined
const anOrder = () => (sharedOrder ??= tenant.createOrder())
const anotherOrder = () => tenant.createOrder()

/** Good requests, by route. */
export const GOOD: Readonly<Record<string, Good>> = {
  [`POST ${REGISTER}`]: {
    path: () => REGISTER,
    body: () => Promise.resolve(registerBody(tenant)),
    other: () => Promise.resolve(registerBody(tenant, { amount_from: '7' })),
  },
  [`POST ${CREATE_TRANSACTION}`]: { path: () => CREATE_TRANSACTION, body: aTransaction },
  [`POST ${EXECUTE}`]: { path: () => EXECUTE, body: async () => executeBody(await aSigned()) },
  'POST /order/create': {
    path: () => '/order/create',
    body: () => Promise.resolve(orderBody()),
    other: () => Promise.resolve(orderBody({ amount_from: '7' })),
  },
  'PATCH /order/:order_id': {
    path: async () => `/order/${await anOrder()}`,
    body: () => Promise.resolve({ amount_from: '8' }),
    other: () => Promise.resolve({ amount_from: '9' }),
  },
  'DELETE /order/:order_id': {
    path: async () => `/order/${await anotherOrder()}`,
    body: () => Promise.resolve(undefined),
    otherPath: async () => `/order/${await anotherOrder()}`,
  },
  'PATCH /order/:order_id/toggle': toggle(),
  'POST /order/:order_id/toggle': toggle(),
}

function toggle(): Good {
  const path = async () => `/order/${await anOrder()}/toggle`
  return {
    path,
    body: () => Promise.resolve(undefined),
    otherPath: async () => `/order/${await anotherOrder()}/toggle`,
  }
}

/** What provokes the errors that are a route's own. */
export const CASES: Readonly<Record<string, Cases>> = {
  [`POST ${REGISTER}`]: {
    product_disabled: async () => {
      const poor = await harness.dashboard.newTenant({ products: ['crypto'] })
      const body = registerBody(poor, { payment_method_allowed: { cardcrypto: true } })
      return call('POST', REGISTER, { as: poor, body })
    },
    order_not_found: () => call('POST', REGISTER, { body: { order_code: NOBODY } }),
    order_inactive: async () => {
      const order = await anotherOrder()
      await call('PATCH', `/order/${order}/toggle`)
      return call('POST', REGISTER, { body: { order_code: order } })
    },
  },
  [`POST ${CREATE_TRANSACTION}`]: {
    product_disabled: () => callAs(['pix'], 'POST', CREATE_TRANSACTION, transactionBody(NOBODY, payer.address)),
    payment_not_found: () => call('POST', CREATE_TRANSACTION, { body: transactionBody(NOBODY, payer.address) }),
    payment_already_processed: async () => {
      const signed = await aSigned()
      await tenant.execute(signed)
      return call('POST', CREATE_TRANSACTION, { body: transactionBody(signed.id, payer.address) })
    },
    broadcast_simulation_failed: async () => {
      // A contract that reverts whatever is sent to it.
      const receiver = harness.chain.newReceiver()
      await harness.chain.client.setCode({ address: receiver, bytecode: '0x60006000fd' })
      const split = [{ receiver_wallet: receiver, receiver_percent: 100 }]
      const terms = { to_currency_symbol: 'POL', amount_from: '1', split_payment_config: split }
      const id = await tenant.register(terms)
      return call('POST', CREATE_TRANSACTION, { body: transactionBody(id, payer.address, 'POL') })
    },
    provider_unavailable: async () => {
      const lost = await harness.chain.newPayer()
      cutFor.add(lost.address.toLowerCase())
      return call('POST', CREATE_TRANSACTION, { body: transactionBody(await tenant.register(), lost.address) })
    },
    provider_timeout: () => slowAnswer('create-transaction provider_timeout'),
    kyc_verification_required: () => payByPix(newEmail()),
    kyc_not_approved: async () => {
      const email = await proveEmail(harness, tenant)
      await call('POST', '/kyc/create/verify_public_kyc', { body: { email } })
      return payByPix(email)
    },
  },
  'GET /payment/:id/status': { payment_not_found: () => call('GET', `/payment/${NOBODY}/status`) },
  [`POST ${EXECUTE}`]: {
    invalid_signed_transaction: async () => {
      const { id, built } = await aSigned(payer)
      const raw = await signRequest(payer, built.transactionRequest, { value: 1n })
      return tenant.execute({ id, raw })
    },
    invalid_chain: async () => {
      const { id, built } = await aSigned(payer)
      return tenant.execute({ id, raw: await signRequest(payer, built.transactionRequest, { chainId: 137 }) })
    },
    stale_transaction_nonce: async () => {
      const busy = await harness.chain.newPayer()
      const signed = await aSigned(busy)
      await harness.chain.approve(busy, { token: CONTRACTS.USDC, spender: payer.address, amount: '1' })
      return tenant.execute(signed)
    },
    payment_not_found: async () => tenant.execute({ ...(await aSigned(payer)), id: NOBODY }),
    invalid_payment_status: async () => {
      const from = await harness.chain.newPayer()
      const signed = await aSigned(from)
      await tenant.execute(signed)
      const again = await signRequest(from, signed.built.transactionRequest, { nonce: 1 })
      return tenant.execute({ id: signed.id, raw: again })
    },
    missing_unsigned_transaction: async () => {
      const { raw } = await aSigned(payer)
      return tenant.execute({ id: await tenant.register(), raw })
    },
    payment_failed: async () => {
      const poor = await harness.chain.newPayer({ USDT: '20' })
      const signed = await aSigned(poor)
      await spendAll(harness.chain, poor)
      // The nonce that was built is used now; a wallet signs with the next one.
      const raw = await signRequest(poor, signed.built.transactionRequest, { nonce: 1 })
      return tenant.execute({ id: signed.id, raw })
    },
    broadcast_rejected: async () => {
      const poor = await harness.chain.newPayer()
      const signed = await aSigned(poor)
      await harness.chain.client.setBalance({ address: poor.address, value: 1n })
      return tenant.execute(signed)
    },
    broadcast_simulation_failed: async () => {
      const poor = await fund(harness.solana, { usdc: 20_000_000n })
      const [first, second] = [await aSolanaSigned(poor), await aSolanaSigned(poor)]
      await tenant.execute(first)
      return tenant.execute(second)
    },
    broadcast_rpc_unavailable: async () => {
      const signed = await aSolanaSigned(await fund(harness.solana))
      harness.solanaRpc.onCall = ({ method }) =>
        method === 'sendTransaction' ? { answer: { error: { code: -32005, message: 'Node is behind' } } } : 'pass'
      const answer = await tenant.execute(signed)
      harness.solanaRpc.onCall = () => 'pass'
      return answer
    },
    solana_blockhash_expired: async () => {
      const signed = await aSolanaSigned(await fund(harness.solana))
      await harness.solana.control.advance(80)
      return tenant.execute(signed)
    },
    broadcast_confirmation_timeout: () => slowAnswer('execute broadcast_confirmation_timeout'),
    confirm_rpc_unavailable: async () => {
      const signed = await aSigned()
      cutFor.add(keccak256(signed.raw))
      return tenant.execute(signed)
    },
  },
  'GET /quote/market': {
    params_mismatch: () => call('GET', '/quote/market'),
    pair_not_found: () => call('GET', '/quote/market?from=XXX&to=YYY'),
    provider_unavailable: () => slowAnswer('quote provider_unavailable'),
    provider_timeout: () => slowAnswer('quote provider_timeout'),
  },
  'GET /config/products': {},
  'POST /order/create': {
    invalid_parameters: () =>
      call('POST', '/order/create', { body: orderBody({ payment_method_allowed: { crypto: false } }) }),
    product_disabled: () =>
      callAs(['crypto'], 'POST', '/order/create', orderBody({ payment_method_allowed: { pixcrypto: true } })),
    order_limit_reached: async () => {
      const full = await harness.dashboard.newTenant()
      for (let count = 0; count < 20; count += 1) await full.createOrder()
      return harness.rest('POST', '/order/create', { as: full, body: orderBody() })
    },
  },
  'GET /order/list': { validation_error: () => call('GET', '/order/list?page=first') },
  'GET /order/list/:order_id': { order_not_found: () => call('GET', `/order/list/${NOBODY}`) },
  'PATCH /order/:order_id': {
    invalid_parameters: async () => patchOrder({ payment_method_allowed: { pixcrypto: false } }),
    no_fields_to_update: () => patchOrder({ unknown: 1 }),
    product_disabled: () =>
      callAs(['crypto'], 'PATCH', `/order/${NOBODY}`, { payment_method_allowed: { pixcrypto: true } }),
    order_not_found: () => call('PATCH', `/order/${NOBODY}`, { body: { amount_from: '1' } }),
  },
  'DELETE /order/:order_id': { order_not_found: () => call('DELETE', `/order/${NOBODY}`) },
  'PATCH /order/:order_id/toggle': { order_not_found: () => call('PATCH', `/order/${NOBODY}/toggle`) },
  'POST /order/:order_id/toggle': { order_not_found: () => call('POST', `/order/${NOBODY}/toggle`) },
}

async function callAs(products: readonly Product[], method: string, path: string, body: unknown): Promise<Answer> {
  return harness.rest(method, path, { as: await harness.dashboard.newTenant({ products }), body })
}

async function payByPix(email: string): Promise<Answer> {
  const id = await tenant.register({ payment_method_allowed: { pixcrypto: true } })
  const payer = { payer_email: email, payer_cpf: '52998224725' }
  return call('POST', CREATE_TRANSACTION, { body: { payment_id: id, transaction_type: 'pixcrypto', ...payer } })
}

async function patchOrder(body: unknown): Promise<Answer> {
  return call('PATCH', `/order/${await anOrder()}`, { body })
}

/** What the product's way to the chain does not let through: addresses and hashes, lower case. */
const [cutFor, heldFor, lostFor] = [new Set<string>(), new Set<string>(), new Set<string>()]

function slowAnswer(name: string): Promise<Answer> {
  const answer = slow.get(name)
  if (!answer) throw new Error(`nobody started ${name}`)
  return answer
}

/** Starts what waits for time-outs of the product, so that they pass beside everything else. */
async function startSlowCases(): Promise<void> {
  const held = Promise.withResolvers<void>()
  harness.rpc.onCall = async ({ method, params }) => {
    const text = JSON.stringify(params).toLowerCase()
    const isAbout = (names: ReadonlySet<string>) => [...names].some((name) => text.includes(name.slice(2)))
    if (method !== 'eth_sendRawTransaction' && isAbout(cutFor)) return 'cut'
    if (isAbout(heldFor)) await (held.resolve(), new Promise((resolve) => setTimeout(resolve, 11_000).unref()))
    if (method === 'eth_sendRawTransaction' && isAbout(lostFor)) return 'cut'
    return 'pass'
  }
  const [heldPayer, unseen] = [await harness.chain.newPayer(), await aSigned()]
  heldFor.add(heldPayer.address.toLowerCase())
  lostFor.add(unseen.raw.toLowerCase())
  slow.set('execute broadcast_confirmation_timeout', tenant.execute(unseen))
  const body = transactionBody(await tenant.register(), heldPayer.address)
  slow.set('create-transaction provider_timeout', call('POST', CREATE_TRANSACTION, { body }))
  await held.promise
  // The product prices what it has enabled in its first seconds: it must not meet the faults, nor use them up.
  await fault(harness.priceUrl, 'down', 'BTC')
  slow.set('quote provider_unavailable', call('GET', '/quote/market?from=BTC&to=BRL'))
  await slow.get('quote provider_unavailable')
  await fault(harness.priceUrl, 'slow', 'BTC')
  slow.set('quote provider_timeout', call('GET', '/quote/market?from=BTC&to=BRL'))
  for (const answer of slow.values()) answer.catch(() => undefined)
}
await startSlowCases()
atEnd(() => Promise.allSettled(slow.values()))
