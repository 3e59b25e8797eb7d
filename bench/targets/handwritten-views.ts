import type { Row } from './handwritten.sql.js'

/** The record of `GET /payment/:id/status`. */
export function statusRecord(row: Row, sessionPayment: string): object {
  const unsigned = row.unsignedTransaction
  return {
    id: row.id,
    status: row.status,
    executor_id: row.executorId,
    order_code: row.orderCode,
    transaction_type: row.transactionType,
    payer_email: row.payerEmail ?? '',
    payer_wallet: row.payerWallet ?? '',
    payer_token_symbol: row.payerTokenSymbol,
    payer_cpf: row.payerCpf,
    tid_hash: row.tidHash,
    from_currency_symbol: row.fromCurrencySymbol,
    amount_from: row.amountFrom,
    to_currency_symbol: row.toCurrencySymbol,
    amount_to: row.amountTo ?? '',
    chain_name: row.chainName ?? '',
    from_chain: row.chainName ?? '',
    to_chain: row.toChain,
    on_ramp: row.onRamp,
    split_payment_config: row.splitPaymentConfig.map((receiver) => ({
      receiver_wallet: receiver['receiverWallet'],
      receiver_percent: receiver['receiverPercent'],
      recipient_id: receiver['recipientId'] ?? null,
      liable: receiver['liable'] ?? null,
      charge_processing_fee: receiver['chargeProcessingFee'] ?? null,
    })),
    unsigned_tx: unsigned && {
      family: unsigned['family'],
      chain_name: unsigned['chainName'],
      schema_version: unsigned['schemaVersion'],
      transactionRequest: unsigned['transactionRequest'],
    },
    signed_tx: row.signedTransaction,
    refunded_amount: row.refundedAmount ?? '0',
    received_amount: row.receivedAmount ?? '0',
    overpaid_amount: row.overpaidAmount ?? '0',
    late: row.late ?? false,
    global_payment_data: row.globalPaymentData,
    data_error: row.dataError,
    session_payment: sessionPayment,
    metadata: row.metadata,
    created_at: row.createdAt,
    updated_at: row.updatedAt,
  }
}

/** A payment as the by-id document asks for it. */
export function fullPayment(row: Row, sessionPayment: string): object {
  return {
    id: row.id,
    status: row.status.toUpperCase(),
    executorId: row.executorId,
    orderCode: row.orderCode,
    transactionType: row.transactionType?.toUpperCase() ?? null,
    gatewayMethod: row.gatewayMethod.toUpperCase(),
    payerEmail: row.payerEmail,
    payerWallet: row.payerWallet,
    payerTokenSymbol: row.payerTokenSymbol,
    payerCpf: row.payerCpf,
    tidHash: row.tidHash,
    fromCurrencySymbol: row.fromCurrencySymbol,
    amountFrom: row.amountFrom,
    toCurrencySymbol: row.toCurrencySymbol,
    amountTo: row.amountTo,
    chainName: row.chainName,
    toChain: row.toChain,
    onRamp: row.onRamp,
    splitPaymentConfig: row.splitPaymentConfig.map(({ receiverWallet, receiverPercent }) => ({
      receiverWallet,
      receiverPercent: String(receiverPercent),
    })),
    signedTransaction: row.signedTransaction,
    globalPaymentData: row.globalPaymentData,
    dataError: row.dataError && { code: row.dataError['code'], message: row.dataError['message'] },
    sessionPayment,
    metadata: row.metadata,
    createdAt: row.createdAt,
    updatedAt: row.updatedAt,
  }
}

/** A payment as the list document asks for it. */
export function listedPayment(row: Row): object {
  return {
    id: row.id,
    status: row.status.toUpperCase(),
    transactionType: row.transactionType?.toUpperCase() ?? null,
    fromCurrencySymbol: row.fromCurrencySymbol,
    amountFrom: row.amountFrom,
    toCurrencySymbol: row.toCurrencySymbol,
    amountTo: row.amountTo,
    createdAt: row.createdAt,
  }
}
