import type { Address, Hex } from 'viem'
import type { PrivateKeyAccount } from 'viem/accounts'
import type { EvmTransactionRequest } from '../../chains/evm/build-call.js'
import { CARDS, cardFields } from '../../sandbox/demo/card-payer.js'
import { signRequest } from '../../sandbox/demo/sign-request.js'
import type { Token } from './evm-side.js'
import type { Answer } from './http.js'
import type { TestTenant } from './tenants.js'
import type { Caller } from './rest.js'
import { cardPaymentBody } from './rest-cards.js'
import { until } from './until.js'
import { RECEIVERS } from './chains.js'

type Terms = Record<string, unknown>
type Queried = { sql: (text: string, values?: unknown[]) => Promise<Terms[]> }

export const REGISTER = '/payment/register/intents-create-order'
export const CREATE_TRANSACTION = '/payment/register/intents-create-transaction'
export const EXECUTE = '/payment/execute/on-chain'

/** A body that creates an order. */
export function orderBody(changes: Terms = {}): Terms {
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

/** The terms by which receivers share a payment; one gets all of it. */
export function splitTo(receivers: readonly string[], percents: readonly number[] = [100]) {
  return {
    split_payment_config: receivers.map((wallet, index) => ({
      receiver_wallet: wallet,
      receiver_percent: percents[index],
    })),
  }
}

/** A body that registers a payment of 100 BRL to one receiver. */
export function registerBody(tenant: TestTenant, changes: Terms = {}): Terms {
  return orderBody({ tenant_data: tenant.tenantData, ...changes })
}

/** As `registerBody`, in GraphQL's names. */
export function registerInput({ tenantData }: Pick<TestTenant, 'tenantData'>, changes: Terms = {}): object {
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

/** The body by which a payer starts to pay. */
export function transactionBody(paymentId: string, payer: Address, token: Token = 'USDT'): Terms {
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

/** What the payer of a Pix is given. */
export type PixCharge = Record<'txid' | 'pixCopiaECola' | 'pix_qr_code_data_url', string>

/** A payment whose payer has signed. */
export interface SignedPayment {
  id: string
  raw: Hex
  built: BuiltTransaction
}

/** A tenant, and what its systems ask of the product. */
export type Shop = TestTenant & TenantCalls
export type TenantCalls = ReturnType<typeof tenantCalls>

/** What a tenant's systems and payers ask of the product at an address. Where no answer is returned, a refusal is thrown. */
export function tenantCalls(caller: Caller, tenant: TestTenant) {
  const get = (path: string) => caller.rest('GET', path, { as: tenant })
  const post = (path: string, body?: unknown) => caller.rest('POST', path, { as: tenant, body })

  /** Registers a payment and gives its id. */
  async function register(changes: Terms = {}): Promise<string> {
    return String(dataOf(await post(REGISTER, registerBody(tenant, changes)))['payment_id'])
  }

  /** The transaction of a payment, signed. */
  async function signTransaction(id: string, payer: PrivateKeyAccount, token?: Token): Promise<SignedPayment> {
    const built = await createTransaction(id, payer.address, token)
    return { id, built, raw: await signRequest(payer, built.transactionRequest) }
  }

  /** Creates the transaction of a payment. */
  async function createTransaction(id: string, payer: Address, token?: Token): Promise<BuiltTransaction> {
    return dataOf(await post(CREATE_TRANSACTION, transactionBody(id, payer, token)))['crypto_tx'] as BuiltTransaction
  }

  /** The payment as its tenant reads it. */
  const statusOf = async (id: string): Promise<Terms> => dataOf(await get(`/payment/${id}/status`))

  return {
    get,
    post,
    register,
    createTransaction,
    signTransaction,
    statusOf,
    /** Where a payment's page is. */
    pagePath: async (id: string): Promise<string> => new URL(String((await statusOf(id))['session_payment'])).pathname,
    /** Creates an order and gives its id. */
    createOrder: async (changes: Terms = {}): Promise<string> =>
      String(dataOf(await post('/order/create', orderBody(changes)))['order_id']),
    /** Registers a payment from an order, and creates its Pix charge. */
    pixOfOrder: async (orderId: string): Promise<{ id: string; charge: PixCharge }> => {
      const id = await register({ order_code: orderId })
      const payer = { transaction_type: 'pixcrypto', payer_email: 'ana@example.com', payer_cpf: '529.982.247-25' }
      const data = dataOf(await post(CREATE_TRANSACTION, { payment_id: id, ...payer }))
      return { id, charge: data['fiat_tx'] as PixCharge }
    },
    /** Registers a payment from an order, and pays it by card. Gives its id. */
    payByCard: async (orderId: string, number: string = CARDS.paid): Promise<string> => {
      const id = await register({ order_code: orderId })
      dataOf(await post(CREATE_TRANSACTION, cardPaymentBody(id, cardFields(number))))
      return id
    },
    /** Registers a payment, creates its transaction and signs it. */
    signedPayment: async (payer: PrivateKeyAccount, terms: Terms = {}): Promise<SignedPayment> =>
      signTransaction(await register(terms), payer),
    /** Hands a signed transaction in. */
    execute: ({ id, raw }: { id: string; raw: string }): Promise<Answer> =>
      post(EXECUTE, { payment_id: id, signed_transaction: raw }),
    /** Waits until a payment has a status. */
    untilStatus: async (id: string, wanted: string, timeoutMs?: number): Promise<Terms> => {
      let last: Terms = {}
      const reached = async (): Promise<boolean> => (last = await statusOf(id))['status'] === wanted
      await until(`${id} is ${wanted}`, reached, timeoutMs).catch((cause: unknown) => {
        throw new Error(`not ${wanted}, but ${JSON.stringify(last)}`, { cause })
      })
      return last
    },
  }
}

/** The data of an answer. @throws Error where it is a refusal */
function dataOf({ status, body, text }: Answer): Terms {
  if (status >= 300) throw new Error(`answered ${text}`)
  return body.data ?? {}
}

/** How many payments there are, of all tenants or from one order. */
export async function countPayments({ sql }: Queried, orderCode?: string): Promise<number> {
  const [row] = await sql('select count(*) from payments.payment where $1::text is null or order_code = $1', [
    orderCode ?? null,
  ])
  return Number(row?.['count'])
}
