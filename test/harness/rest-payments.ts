import { setTimeout as delay } from 'node:timers/promises'
import type { Address, Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import { signRequest, type Token, type TransactionRequest } from './evm-side.js'
import type { Answer } from './http.js'
import type { TestTenant } from './tenants.js'
import type { RestCall } from './harness.js'

/** What the helpers below need of a world. */
export interface Caller {
  rest: (method: string, path: string, call?: RestCall) => Promise<Answer>
}

export const REGISTER = '/payment/register/intents-create-order'
export const CREATE_TRANSACTION = '/payment/register/intents-create-transaction'
export const EXECUTE = '/payment/execute/on-chain'

/** Some receivers' addresses, for bodies that are never paid. */
export const RECEIVERS = [
  '0x1111111111111111111111111111111111111111',
  '0x2222222222222222222222222222222222222222',
] as const

/** A body that registers a payment of 100 BRL to one receiver. */
export function registerBody(tenant: TestTenant, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    executor_id: 'api_transaction',
    tenant_data: tenant.tenantData,
    payment_method_allowed: { crypto: true },
    split_payment_config: [{ receiver_wallet: RECEIVERS[0], receiver_percent: 100 }],
    gateway_method: 'direct',
    from_currency_symbol: 'BRL',
    amount_from: '100',
    to_currency_symbol: 'USDT',
    to_chain: 'polygon',
    on_ramp: false,
    ...changes,
  }
}

/** A body that creates an order. */
export function orderBody(changes: Record<string, unknown> = {}): Record<string, unknown> {
  return {
    executor_id: 'api_transaction',
    from_currency_symbol: 'BRL',
    amount_from: '100',
    to_currency_symbol: 'USDT',
    to_chain: 'polygon',
    on_ramp: false,
    gateway_method: 'direct',
    payment_method_allowed: { crypto: true },
    split_payment_config: [{ receiver_wallet: RECEIVERS[0], receiver_percent: 100 }],
    ...changes,
  }
}

/** Registers a payment and gives its id. */
export async function register(world: Caller, tenant: TestTenant, changes: Record<string, unknown> = {}) {
  const answer = await world.rest('POST', REGISTER, { as: tenant, body: registerBody(tenant, changes) })
  if (answer.status !== 201) throw new Error(`register answered ${answer.text}`)
  return String(answer.body.data?.['payment_id'])
}

/** Creates an order and gives its id. */
export async function createOrder(world: Caller, tenant: TestTenant, changes: Record<string, unknown> = {}) {
  const answer = await world.rest('POST', '/order/create', { as: tenant, body: orderBody(changes) })
  if (answer.status !== 200) throw new Error(`create order answered ${answer.text}`)
  return String(answer.body.data?.['order_id'])
}

/** The body by which a payer starts to pay. */
export function transactionBody(paymentId: string, payer: Address, token: Token = 'USDT'): Record<string, unknown> {
  return {
    payment_id: paymentId,
    transaction_type: 'crypto',
    payer_email: 'ana@example.com',
    payer_wallet: payer,
    chain_name: 'polygon',
    payer_token_symbol: token,
  }
}

/** The unsigned transaction of an answer of create-transaction. */
export interface BuiltTransaction {
  transactionRequest: TransactionRequest
  meta: { source: string; approval?: { token: Address; spender: Address; amount: string } }
}

/** Creates the transaction of a payment. */
export async function createTransaction(
  world: Caller,
  tenant: TestTenant,
  paymentId: string,
  payer: Address,
  token: Token = 'USDT',
): Promise<BuiltTransaction> {
  const body = transactionBody(paymentId, payer, token)
  const answer = await world.rest('POST', CREATE_TRANSACTION, { as: tenant, body })
  if (answer.status !== 201) throw new Error(`create transaction answered ${answer.text}`)
  return answer.body.data?.['crypto_tx'] as BuiltTransaction
}

/** A payment whose payer has signed. */
export interface SignedPayment {
  id: string
  raw: Hex
  built: BuiltTransaction
}

/** Registers a payment, creates its transaction and signs it. */
export async function signedPayment(
  world: Caller,
  tenant: TestTenant,
  payer: PrivateKeyAccount,
  terms: Record<string, unknown> = {},
): Promise<SignedPayment> {
  const id = await register(world, tenant, terms)
  const built = await createTransaction(world, tenant, id, payer.address)
  return { id, built, raw: await signRequest(payer, built.transactionRequest) }
}

/** Hands a signed transaction in. */
export function execute(world: Caller, tenant: TestTenant, { id, raw }: { id: string; raw: string }): Promise<Answer> {
  return world.rest('POST', EXECUTE, { as: tenant, body: { payment_id: id, signed_transaction: raw } })
}

/** The payment as its tenant reads it. */
export async function statusOf(world: Caller, tenant: TestTenant, id: string): Promise<Record<string, unknown>> {
  const answer = await world.rest('GET', `/payment/${id}/status`, { as: tenant })
  if (answer.status !== 200) throw new Error(`status answered ${answer.text}`)
  return answer.body.data ?? {}
}

/** Waits until a payment has a status. Fails at once where it has come to another end. */
export async function untilStatus(
  world: Caller,
  tenant: TestTenant,
  id: string,
  wanted: string,
  timeoutMs = 20_000,
): Promise<Record<string, unknown>> {
  const deadline = performance.now() + timeoutMs
  for (;;) {
    const payment = await statusOf(world, tenant, id)
    if (payment['status'] === wanted) return payment
    if (performance.now() > deadline)
      throw new Error(`not ${wanted} within ${timeoutMs} ms, but ${JSON.stringify(payment)}`)
    await delay(20)
  }
}
