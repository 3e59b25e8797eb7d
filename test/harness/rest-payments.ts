import type { Address, Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { EvmTransactionRequest } from '../../chains/evm/build-call.js'
import { signRequest } from '../../sandbox/demo/sign-request.js'
import type { Token } from './evm-side.js'
import type { Harness } from './harness.js'
import type { Answer } from './http.js'
import type { TestTenant } from './tenants.js'
import type { Caller } from './rest.js'
import { until } from './until.js'
import { RECEIVERS } from './chains.js'

export const REGISTER = '/payment/register/intents-create-order'
export const CREATE_TRANSACTION = '/payment/register/intents-create-transaction'
export const EXECUTE = '/payment/execute/on-chain'

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

/** A body that registers a payment of 100 BRL to one receiver. */
export function registerBody(tenant: TestTenant, changes: Record<string, unknown> = {}): Record<string, unknown> {
  return orderBody({ tenant_data: tenant.tenantData, ...changes })
}

/** As `registerBody`, in GraphQL's names. */
export function registerInput(
  { tenantData }: Pick<TestTenant, 'tenantData'>,
  changes: Record<string, unknown> = {},
): object {
  return {
    executorId: 'api_transaction',
    tenantData: { publicClientId: tenantData.public_client_id, webhookUrl: tenantData.webhook_url },
    paymentMethodAllowed: { crypto: true },
    splitPaymentConfig: [{ receiverWallet: RECEIVERS[0], receiverPercent: '100' }],
    gatewayMethod: 'DIRECT',
    fromCurrencySymbol: 'BRL',
    amountFrom: '100',
    toCurrencySymbol: 'USDT',
    toChain: 'polygon',
    onRamp: false,
    ...changes,
  }
}

/** Registers a payment and gives its id. */
export async function register(harness: Caller, tenant: TestTenant, changes: Record<string, unknown> = {}) {
  const answer = await harness.rest('POST', REGISTER, { as: tenant, body: registerBody(tenant, changes) })
  if (answer.status !== 201) throw new Error(`register answered ${answer.text}`)
  return String(answer.body.data?.['payment_id'])
}

/** Creates an order and gives its id. */
export async function createOrder(harness: Caller, tenant: TestTenant, changes: Record<string, unknown> = {}) {
  const answer = await harness.rest('POST', '/order/create', { as: tenant, body: orderBody(changes) })
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
  transactionRequest: EvmTransactionRequest
  meta: { source: string; approval?: { token: Address; spender: Address; amount: string } }
}

/** Creates the transaction of a payment. */
export async function createTransaction(
  harness: Caller,
  tenant: TestTenant,
  paymentId: string,
  payer: Address,
  token: Token = 'USDT',
): Promise<BuiltTransaction> {
  const body = transactionBody(paymentId, payer, token)
  const answer = await harness.rest('POST', CREATE_TRANSACTION, { as: tenant, body })
  if (answer.status !== 201) throw new Error(`create transaction answered ${answer.text}`)
  return answer.body.data?.['crypto_tx'] as BuiltTransaction
}

/** What the payer of a Pix is given. */
export type PixCharge = Record<'txid' | 'pixCopiaECola' | 'pix_qr_code_data_url', string>

/** Registers a payment from an order, and creates its Pix charge. */
export async function pixOfOrder(
  harness: Caller,
  tenant: TestTenant,
  orderId: string,
): Promise<{ id: string; charge: PixCharge }> {
  const id = await register(harness, tenant, { order_code: orderId })
  const payer = { transaction_type: 'pixcrypto', payer_email: 'ana@example.com', payer_cpf: '529.982.247-25' }
  const answer = await harness.rest('POST', CREATE_TRANSACTION, { as: tenant, body: { payment_id: id, ...payer } })
  if (answer.status !== 201) throw new Error(`create transaction answered ${answer.text}`)
  return { id, charge: answer.body.data?.['fiat_tx'] as PixCharge }
}

/** A payment whose payer has signed. */
export interface SignedPayment {
  id: string
  raw: Hex
  built: BuiltTransaction
}

/** Registers a payment, creates its transaction and signs it. */
export async function signedPayment(
  harness: Caller,
  tenant: TestTenant,
  payer: PrivateKeyAccount,
  terms: Record<string, unknown> = {},
): Promise<SignedPayment> {
  const id = await register(harness, tenant, terms)
  const built = await createTransaction(harness, tenant, id, payer.address)
  return { id, built, raw: await signRequest(payer, built.transactionRequest) }
}

/** Hands a signed transaction in. */
export function execute(
  harness: Caller,
  tenant: TestTenant,
  { id, raw }: { id: string; raw: string },
): Promise<Answer> {
  return harness.rest('POST', EXECUTE, { as: tenant, body: { payment_id: id, signed_transaction: raw } })
}

/** The payment as its tenant reads it. */
export async function statusOf(harness: Caller, tenant: TestTenant, id: string): Promise<Record<string, unknown>> {
  const answer = await harness.rest('GET', `/payment/${id}/status`, { as: tenant })
  if (answer.status !== 200) throw new Error(`status answered ${answer.text}`)
  return answer.body.data ?? {}
}

/** Waits until a payment has a status. */
export async function untilStatus(
  harness: Caller,
  tenant: TestTenant,
  id: string,
  wanted: string,
  timeoutMs?: number,
): Promise<Record<string, unknown>> {
  let last: Record<string, unknown> = {}
  const reached = async (): Promise<boolean> => (last = await statusOf(harness, tenant, id))['status'] === wanted
  await until(`${id} is ${wanted}`, reached, timeoutMs).catch((cause: unknown) => {
    throw new Error(`not ${wanted}, but ${JSON.stringify(last)}`, { cause })
  })
  return last
}

/** How many payments there are, of all tenants or from one order. */
export async function countPayments({ sql }: Pick<Harness, 'sql'>, orderCode?: string): Promise<number> {
  const [row] = await sql('select count(*) from payments.payment where $1::text is null or order_code = $1', [
    orderCode ?? null,
  ])
  return Number(row?.['count'])
}
