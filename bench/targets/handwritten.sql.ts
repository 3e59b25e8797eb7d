const COLUMNS = `tenant_id as "tenantId", id, status, executor_id as "executorId", order_code as "orderCode",
  split_payment_config as "splitPaymentConfig", gateway_method as "gatewayMethod",
  from_currency_symbol as "fromCurrencySymbol", amount_from as "amountFrom", to_currency_symbol as "toCurrencySymbol",
  amount_to as "amountTo", to_chain as "toChain", on_ramp as "onRamp", transaction_type as "transactionType",
  payer_email as "payerEmail", payer_wallet as "payerWallet", payer_token_symbol as "payerTokenSymbol",
  payer_cpf as "payerCpf", chain_name as "chainName", unsigned_transaction as "unsignedTransaction",
  signed_transaction as "signedTransaction", tid_hash as "tidHash", global_payment_data as "globalPaymentData", refunded_amount as "refundedAmount",
  received_amount as "receivedAmount", overpaid_amount as "overpaidAmount", late,
  data_error as "dataError", metadata, created_at as "createdAt", updated_at as "updatedAt"`

export const FIND = {
  name: 'bench_find',
  text: `select ${COLUMNS} from payments.payment where tenant_id = $1 and id = $2`,
}

const LISTED = `id, status, from_currency_symbol as "fromCurrencySymbol", amount_from as "amountFrom",
  to_currency_symbol as "toCurrencySymbol", amount_to as "amountTo", transaction_type as "transactionType",
  created_at as "createdAt"`

export const LIST = {
  name: 'bench_list',
  text: `select ${LISTED} from payments.payment where tenant_id = $1 order by id desc limit $2`,
}

export const LIST_AFTER = {
  name: 'bench_list_after',
  text: `select ${LISTED} from payments.payment where tenant_id = $1 and id < $3 order by id desc limit $2`,
}

/** Payment, event and idempotency key: one statement, one commit. */
export const REGISTER = {
  name: 'bench_register',
  text: `with claim as (
      insert into kernel.idempotency_key (tenant_id, key, fingerprint, answer, created_at)
      select $1, $15, $16, $17::jsonb, $14::timestamptz where $15::text is not null
      on conflict do nothing returning 1
    ), payment as (
      insert into payments.payment (tenant_id, id, status, sequence, executor_id, public_client_id, webhook_url,
        payment_method_allowed, split_payment_config, gateway_method, from_currency_symbol, amount_from,
        to_currency_symbol, to_chain, on_ramp, metadata, created_at, updated_at)
      select $1, $2, 'registered', 1, 'api_transaction', $3, $4, $5::jsonb, $6::jsonb, $7, $8, $9, $10, $11,
        $12::boolean, $13::jsonb, $14::timestamptz, $14::timestamptz
      where $15::text is null or exists (select from claim)
      returning id
    ), event as (
      insert into payments.payment_event (tenant_id, payment_id, sequence, type, cause, change, notify, created_at)
      select $1, id, 1, 'payment.registered', 'registered', '{}', true, $14::timestamptz from payment
    )
    select id from payment`,
}

/** A payment as pg gives it. */
export type Row = Record<
  'tenantId' | 'id' | 'status' | 'gatewayMethod' | 'fromCurrencySymbol' | 'amountFrom' | 'executorId',
  string
> &
  Record<
    | 'orderCode'
    | 'transactionType'
    | 'payerEmail'
    | 'payerWallet'
    | 'payerTokenSymbol'
    | 'payerCpf'
    | 'tidHash'
    | 'toCurrencySymbol'
    | 'amountTo'
    | 'chainName'
    | 'toChain'
    | 'signedTransaction',
    string | null
  > & {
    onRamp: boolean
    splitPaymentConfig: Record<string, unknown>[]
    unsignedTransaction: Record<string, unknown> | null
    globalPaymentData: unknown
    refundedAmount: string | null
    receivedAmount: string | null
    overpaidAmount: string | null
    late: boolean | null
    dataError: Record<string, unknown> | null
    metadata: unknown
    createdAt: Date
    updatedAt: Date
  }
