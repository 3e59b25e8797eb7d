// Written by `npm run schema` from the OpenAPI document.

/** A financial payment to register. */
export interface RegisterPaymentInput {
  /** How it continues once it is paid; needed for subs. */
  subscription_payment_config?: SubscriptionConfigInput | null
  /** `api_transaction`, or `order_transaction` when it came from an order. Here always the first. */
  executor_id: string
  /** The integration that it belongs to. */
  tenant_data: TenantDataInput
  /** How it may be paid. At least one method. */
  payment_method_allowed: PaymentMethodsInput
  /** Who receives, and which share. The percentages sum to exactly 100. */
  split_payment_config: readonly (SplitReceiverInput)[]
  /** One-time or subscription. */
  gateway_method: "direct" | "subs"
  /** The fiat currency asked for, e.g. `BRL`. */
  from_currency_symbol: string
  /** The amount in the fiat currency. Above 0, with no more decimals than the currency has. */
  amount_from: string
  /** The token that the receivers get, e.g. `USDT`. */
  to_currency_symbol: string
  /** The chain that the receivers are paid on. */
  to_chain: string
  /** Whether the payer started it as an on-ramp. False for payments received by Pix. */
  on_ramp: boolean
  /** The caller's own data. At most 16 KB. */
  metadata?: unknown
  /** Where the payment page sends the payer back to once it is paid. https; in the sandbox http on its own machine too. */
  success_url?: string | null
  /** Where the payment page sends the payer back to before that. https; in the sandbox http on its own machine too. */
  cancel_url?: string | null
}

/** How a subscription continues after its first payment. */
export interface SubscriptionConfigInput {
  /** What the plan is called. At most 200 characters. */
  plan_name: string
  /** The time between two payments. */
  interval: "weekly" | "monthly" | "yearly"
  /** When the next payment is due, in whole Unix seconds. */
  next_payment_at?: number | null
  /** Whether a card on file is charged by itself. By default not. */
  charge?: boolean | null
  /** How often a refused charge is tried again, a day apart. By default never. */
  retry_count?: number | null
}

/** The integration that a payment belongs to. */
export interface TenantDataInput {
  /** The integration id. A prefix followed by 32 hex characters. */
  public_client_id: string
  /** Receives the status updates of the payments. */
  webhook_url: string
}

/** Which methods to allow; what is left out is not allowed. */
export interface PaymentMethodsInput {
  /** A crypto wallet pays on a chain. */
  crypto?: boolean | null
  /** Pix pays, the receivers get crypto. */
  pixcrypto?: boolean | null
  /** A card pays, the receivers get crypto. */
  cardcrypto?: boolean | null
  /** A card pays, the receivers get fiat. */
  cardfiat?: boolean | null
  /** Crypto pays, the receivers get fiat. */
  cryptofiat?: boolean | null
  /** Crypto pays, the receivers get Pix. */
  cryptopix?: boolean | null
}

/** A receiver's share. */
export interface SplitReceiverInput {
  /** The receiver's address on the destination chain. */
  receiver_wallet: string
  /** The share in percent, 0 to 100; all shares sum to exactly 100. */
  receiver_percent: number
  /** The receiver's id at the card processor; card to fiat needs it. */
  recipient_id?: string | null
  /** Whether the receiver is liable for chargebacks. */
  liable?: boolean | null
  /** Whether the receiver bears the processor's fee. */
  charge_processing_fee?: boolean | null
}

/** A payment to register from an order. Only the order is needed: it says the rest. */
export interface RegisterCheckoutPaymentInput {
  /** The id of the order. */
  order_code?: string
  /** Checked, then ignored: the order's count. */
  subscription_payment_config?: SubscriptionConfigInput | null
  /** Ignored: it is always `order_transaction`. */
  executor_id?: string | null
  /** By default the order's, then the tenant's. */
  tenant_data?: TenantDataInput | null
  /** Checked, then ignored: the order's count. */
  payment_method_allowed?: PaymentMethodsInput | null
  /** Checked, then ignored: the order's count. */
  split_payment_config?: readonly (SplitReceiverInput)[] | null
  /** Ignored: the order's counts. */
  gateway_method?: "direct" | "subs" | null
  /** Checked, then ignored: the order's counts. */
  from_currency_symbol?: string | null
  /** Checked, then ignored: the order's counts. */
  amount_from?: string | null
  /** Checked, then ignored: the order's counts. */
  to_currency_symbol?: string | null
  /** Checked, then ignored: the order's counts. */
  to_chain?: string | null
  /** Checked, then ignored: the order's counts. */
  on_ramp?: boolean | null
  /** The caller's own data, at most 16 KB. */
  metadata?: unknown
  /** By default the order's. */
  success_url?: string | null
  /** By default the order's. */
  cancel_url?: string | null
  /** Another name of `order_code`. */
  order_id?: string
}

export interface RegisterPaymentData {
  /** The id of the payment. */
  payment_id: string
}

/** An attempt to pay a payment. The type decides which of the other fields are needed. */
export interface CreateTransactionInput {
  /** The payment. */
  payment_id: string
  /** How it is paid. */
  transaction_type: "crypto" | "pixcrypto" | "fiatcrypto" | "cardcrypto" | "cardfiat"
  /** The payer's e-mail address; only the payer of crypto may leave it out. */
  payer_email: string
  /** The payer's wallet; needed for crypto. */
  payer_wallet?: string | null
  /** The chain the payer pays on; needed for crypto. */
  chain_name?: string | null
  /** The token the payer pays with; needed for crypto. */
  payer_token_symbol?: string | null
  /** The payer's CPF or CNPJ, numeric or alphanumeric; needed for pixcrypto and fiatcrypto. */
  payer_cpf?: string | null
  /** The payer's name; needed for cards. */
  payer_name?: string | null
  /** The payer's document; needed for cards. */
  payer_document?: string | null
  /** The kind of that document; needed for cards. */
  payer_document_type?: "PASSPORT" | "CPF" | "CNPJ" | null
  /** The payer's IP address; needed with a card token. */
  payer_ip?: string | null
  /** The session of fraud prevention; needed with a card token. */
  session_id?: string | null
  /** The payer's telephone; needed for cards. */
  payer_phone?: PhoneInput | null
  /** The card or its token; needed for cards. */
  card_data?: CardDataInput | null
}

/** A telephone. */
export interface PhoneInput {
  /** E.g. `55`. */
  country_code: string
  /** E.g. `11`. */
  area_code: string
  /** The number in that area. */
  number: string
}

/** How a card pays: by itself or by a token. */
export interface CardDataInput {
  /** Only 1 is supported. */
  installments: number
  /** What the payer's statement shows; acquirers cut it to 13 characters. */
  statement_descriptor: string
  /** A token of the card, in place of the card. */
  card_token?: string | null
  /** The card, where there is no token. */
  card?: CardInput | null
  /** The billing address. */
  address: CardAddressInput
  /** Where the payer comes back to from 3-D Secure, https; then the issuer may ask for it, see `challenge_url`. Without it none is asked for. */
  authentication_return_url?: string | null
}

/** A card. It lives in memory for the one call to the processor. */
export interface CardInput {
  /** The number. */
  number: string
  /** The name on it. */
  holder_name: string
  /** The holder's tax id or passport number. */
  holder_document: string
  /** The security code. */
  cvv: string
  /** The month in which it expires, 1 to 12. */
  exp_month: number
  /** The year in which it expires, two or four digits. */
  exp_year: number
  /** The brand, e.g. `Visa`. */
  brand: string
}

/** The address of statements. */
export interface CardAddressInput {
  /** ISO 3166-1 alpha-2, e.g. `BR`. */
  country: string
  /** The state, e.g. `SP`. */
  state: string
  /** The city. */
  city: string
  /** The neighborhood. */
  neighborhood: string
  /** The street. */
  street: string
  /** The number in the street. */
  street_number: string
  /** The postal code, digits only. */
  zipcode: string
  /** Apartment, floor, … */
  complement?: string | null
}

export type CreateTransactionUnsignedTransaction = CreateTransactionEvmTransaction | CreateTransactionSolanaTransaction

export interface CreateTransactionEvmTransaction {
  family: "evm"
  /** The chain that the payer pays on. */
  chain_name: string
  /** Version of this object's shape. */
  schema_version: number
  /** What to sign. */
  transactionRequest: {
    /** The contract or account called. */
    to: string
    /** The payer, who has to sign. */
    from: string
    /** Calldata, 0x-hex. */
    data: string
    /** The payer's account nonce. */
    nonce: number
    /** Native coin sent along, in its smallest unit. */
    value: string
    /** The chain's id. */
    chainId: number
    /** Upper limit of gas. */
    gasLimit: string
    /** Highest total fee per gas, in wei. */
    maxFeePerGas: string
    /** Highest priority fee per gas, in wei. */
    maxPriorityFeePerGas: string
  }
  /** How it was built. */
  meta: {
    /** Who built it, and in which form. */
    source: "evm_transfer" | "evm_split" | "router" | "solana_transfer"
    /** Needed first, where the router asks for it. */
    approval: {
      /** The token's contract. */
      token: string
      /** Who may spend. */
      spender: string
      /** How much, in the token's smallest unit. */
      amount: string
    } | null
  }
}

export interface CreateTransactionSolanaTransaction {
  family: "solana"
  /** The chain that the payer pays on. */
  chain_name: string
  /** Version of this object's shape. */
  schema_version: number
  /** The unsigned wire, base64. */
  serialized: string
  /** The blockhash it is bound to. */
  recent_blockhash: string
  /** The last block height at which it can land. */
  last_valid_block_height: number
  /** Who pays the fee and signs. */
  fee_payer: string
  /** The key that marks the transfer as this payment. */
  reference: string
  /** How it was built. */
  meta: {
    /** Who built it, and in which form. */
    source: "evm_transfer" | "evm_split" | "router" | "solana_transfer"
  }
}

export interface CreateTransactionData {
  /** The id of the payment. */
  payment_id: string
  /** The hosted payment page: signed, and good until the payment expires. */
  session_payment: string
  /** What the payer has to sign. */
  crypto_tx: CreateTransactionUnsignedTransaction | string
  /** Present when the status is error, and when a card was refused (reproved). */
  data_error?: {
    /** A stable code. */
    code: string
    /** What happened, for people. */
    message: string
  }
  /** What the payer needs to pay by instant transfer; null for other types. */
  fiat_tx: {
    /** The provider's status of the charge, e.g. `ATIVA`. */
    status: string
    /** The Pix key that receives. */
    pix_key: string
    /** The id of the charge at the provider. */
    txid: string
    /** The BR Code, to be copied and pasted. */
    pixCopiaECola: string
    /** The BR Code as a QR code: a PNG in a data URL. */
    pix_qr_code_data_url: string
    /** How long it can be paid. */
    calendar: {
      /** When the charge was created. */
      criacao: string
      /** How long it can be paid from then, in seconds. */
      expiracao: number
    }
    /** Our own id of the charge. */
    code: string
  } | string
}

/** What to make a token of. */
export interface TokenizeCardInput {
  /** Always card. */
  type: "card"
  /** The card. */
  card: TokenizedCardInput
}

/** A card to be kept by the processor for one use. */
export interface TokenizedCardInput {
  /** The number. */
  number: string
  /** The name on it. */
  holder_name: string
  /** The holder's tax id or passport number. */
  holder_document: string
  /** The security code. */
  cvv: string
  /** The month in which it expires, 1 to 12. */
  exp_month: number
  /** The year in which it expires, two or four digits. */
  exp_year: number
  /** The brand; the processor knows it by the number. */
  brand?: string | null
}

export interface TokenizeCardData {
  /** What to send as `card_token`. */
  id: string
  /** Always card. */
  type: "card"
  /** When it was made. */
  created_at: string
  /** Until when it can be used. */
  expires_at: string
  /** The card. */
  card: {
    /** The first six digits. */
    first_six_digits: string
    /** The last four digits. */
    last_four_digits: string
    /** The name on it. */
    holder_name: string
    /** The brand. */
    brand: string
    /** The month in which it expires. */
    exp_month: number
    /** The year in which it expires, four digits. */
    exp_year: number
  }
}

export type PaymentUnsignedTransaction = PaymentEvmTransaction | PaymentSolanaTransaction

export interface PaymentEvmTransaction {
  family: "evm"
  /** The chain that the payer pays on. */
  chain_name: string
  /** Version of this object's shape. */
  schema_version: number
  /** What to sign. */
  transactionRequest: {
    /** The contract or account called. */
    to: string
    /** The payer, who has to sign. */
    from: string
    /** Calldata, 0x-hex. */
    data: string
    /** The payer's account nonce. */
    nonce: number
    /** Native coin sent along, in its smallest unit. */
    value: string
    /** The chain's id. */
    chainId: number
    /** Upper limit of gas. */
    gasLimit: string
    /** Highest total fee per gas, in wei. */
    maxFeePerGas: string
    /** Highest priority fee per gas, in wei. */
    maxPriorityFeePerGas: string
  }
}

export interface PaymentSolanaTransaction {
  family: "solana"
  /** The chain that the payer pays on. */
  chain_name: string
  /** Version of this object's shape. */
  schema_version: number
  /** The unsigned wire, base64. */
  serialized: string
  /** The blockhash it is bound to. */
  recent_blockhash: string
  /** The last block height at which it can land. */
  last_valid_block_height: number
  /** Who pays the fee and signs. */
  fee_payer: string
  /** The key that marks the transfer as this payment. */
  reference: string
}

export interface PaymentData {
  /** The id of the payment. */
  id: string
  /** Where it stands. */
  status: "registered" | "pending" | "success" | "error" | "reproved"
  /** `api_transaction`, or `order_transaction` when it came from an order. */
  executor_id: string
  /** The id of the order it came from. */
  order_code: string | null
  /** How it is paid; null before a transaction is created. */
  transaction_type: "crypto" | "pixcrypto" | "cardcrypto" | "cardfiat" | null
  /** The payer's e-mail address. */
  payer_email: string
  /** The payer's wallet, for crypto payments. */
  payer_wallet: string
  /** The token the payer pays with. */
  payer_token_symbol: string | null
  /** The payer's tax id, masked. */
  payer_cpf: string | null
  /** The hash on chain after a successful execution. */
  tid_hash: string | null
  /** The fiat currency asked for, e.g. `BRL`. */
  from_currency_symbol: string
  /** The amount in the fiat currency. */
  amount_from: string
  /** The token that the receivers get, e.g. `USDT`. */
  to_currency_symbol: string
  /** The quoted amount of that token; null, in REST an empty text, before a transaction is created. */
  amount_to: string
  /** The chain that the payer pays on. */
  chain_name: string
  /** The chain that the payer pays on. */
  from_chain: string
  /** The chain that the receivers are paid on. */
  to_chain: string
  /** Whether the payer started it as an on-ramp. */
  on_ramp: boolean
  /** Who receives, and which share. */
  split_payment_config: readonly ({
    /** The receiver's address on the destination chain. */
    receiver_wallet: string
    /** The share in percent, 0 to 100; all shares sum to exactly 100. */
    receiver_percent: number
    /** The receiver's id at the card processor; card to fiat needs it. */
    recipient_id: string | null
    /** Whether the receiver is liable for chargebacks. */
    liable: boolean | null
    /** Whether the receiver bears the processor's fee. */
    charge_processing_fee: boolean | null
  })[]
  /** What the payer has to sign. */
  unsigned_tx: PaymentUnsignedTransaction | null
  /** What the payer signed. */
  signed_tx: string | null
  /** What its payer got back by refunds, in the currency that was charged. */
  refunded_amount: string
  /** What has come to its address, in `to_currency_symbol`: parts too, and what is held. */
  received_amount: string
  /** What came beyond what was due, in `to_currency_symbol`, at its address or by a wallet that paid besides; a wallet pays the receivers, or what is held for them. */
  overpaid_amount: string
  /** Whether it was paid at its address after the price had run out. */
  late: boolean
  /** The processor's answer; a message object for crypto. */
  global_payment_data: unknown
  /** Present when the status is error, and when a card was refused (reproved). */
  data_error: {
    /** A stable code. */
    code: string
    /** The status the payment took. */
    status: "registered" | "pending" | "success" | "error" | "reproved"
    /** What happened, for people. */
    message: string
    /** More, where the system behind told it. */
    details: string | null
  } | null
  /** The hosted payment page: signed, and good until the payment expires. */
  session_payment: string
  /** The caller's own data. */
  metadata: unknown
  /** When it was registered. */
  created_at: string
  /** When it last changed. */
  updated_at: string
}

export type ListPaymentsUnsignedTransaction = ListPaymentsEvmTransaction | ListPaymentsSolanaTransaction

export interface ListPaymentsEvmTransaction {
  family: "evm"
  /** The chain that the payer pays on. */
  chain_name: string
  /** Version of this object's shape. */
  schema_version: number
  /** What to sign. */
  transactionRequest: {
    /** The contract or account called. */
    to: string
    /** The payer, who has to sign. */
    from: string
    /** Calldata, 0x-hex. */
    data: string
    /** The payer's account nonce. */
    nonce: number
    /** Native coin sent along, in its smallest unit. */
    value: string
    /** The chain's id. */
    chainId: number
    /** Upper limit of gas. */
    gasLimit: string
    /** Highest total fee per gas, in wei. */
    maxFeePerGas: string
    /** Highest priority fee per gas, in wei. */
    maxPriorityFeePerGas: string
  }
}

export interface ListPaymentsSolanaTransaction {
  family: "solana"
  /** The chain that the payer pays on. */
  chain_name: string
  /** Version of this object's shape. */
  schema_version: number
  /** The unsigned wire, base64. */
  serialized: string
  /** The blockhash it is bound to. */
  recent_blockhash: string
  /** The last block height at which it can land. */
  last_valid_block_height: number
  /** Who pays the fee and signs. */
  fee_payer: string
  /** The key that marks the transfer as this payment. */
  reference: string
}

export interface ListPaymentsData {
  /** The payments, newest first. */
  payments: readonly ({
    /** The id of the payment. */
    id: string
    /** Where it stands. */
    status: "registered" | "pending" | "success" | "error" | "reproved"
    /** `api_transaction`, or `order_transaction` when it came from an order. */
    executor_id: string
    /** The id of the order it came from. */
    order_code: string | null
    /** How it is paid; null before a transaction is created. */
    transaction_type: "crypto" | "pixcrypto" | "cardcrypto" | "cardfiat" | null
    /** The payer's e-mail address. */
    payer_email: string
    /** The payer's wallet, for crypto payments. */
    payer_wallet: string
    /** The token the payer pays with. */
    payer_token_symbol: string | null
    /** The payer's tax id, masked. */
    payer_cpf: string | null
    /** The hash on chain after a successful execution. */
    tid_hash: string | null
    /** The fiat currency asked for, e.g. `BRL`. */
    from_currency_symbol: string
    /** The amount in the fiat currency. */
    amount_from: string
    /** The token that the receivers get, e.g. `USDT`. */
    to_currency_symbol: string
    /** The quoted amount of that token; null, in REST an empty text, before a transaction is created. */
    amount_to: string
    /** The chain that the payer pays on. */
    chain_name: string
    /** The chain that the payer pays on. */
    from_chain: string
    /** The chain that the receivers are paid on. */
    to_chain: string
    /** Whether the payer started it as an on-ramp. */
    on_ramp: boolean
    /** Who receives, and which share. */
    split_payment_config: readonly ({
      /** The receiver's address on the destination chain. */
      receiver_wallet: string
      /** The share in percent, 0 to 100; all shares sum to exactly 100. */
      receiver_percent: number
      /** The receiver's id at the card processor; card to fiat needs it. */
      recipient_id: string | null
      /** Whether the receiver is liable for chargebacks. */
      liable: boolean | null
      /** Whether the receiver bears the processor's fee. */
      charge_processing_fee: boolean | null
    })[]
    /** What the payer has to sign. */
    unsigned_tx: ListPaymentsUnsignedTransaction | null
    /** What the payer signed. */
    signed_tx: string | null
    /** What its payer got back by refunds, in the currency that was charged. */
    refunded_amount: string
    /** What has come to its address, in `to_currency_symbol`: parts too, and what is held. */
    received_amount: string
    /** What came beyond what was due, in `to_currency_symbol`, at its address or by a wallet that paid besides; a wallet pays the receivers, or what is held for them. */
    overpaid_amount: string
    /** Whether it was paid at its address after the price had run out. */
    late: boolean
    /** The processor's answer; a message object for crypto. */
    global_payment_data: unknown
    /** Present when the status is error, and when a card was refused (reproved). */
    data_error: {
      /** A stable code. */
      code: string
      /** The status the payment took. */
      status: "registered" | "pending" | "success" | "error" | "reproved"
      /** What happened, for people. */
      message: string
      /** More, where the system behind told it. */
      details: string | null
    } | null
    /** The hosted payment page: signed, and good until the payment expires. */
    session_payment: string
    /** The caller's own data. */
    metadata: unknown
    /** When it was registered. */
    created_at: string
    /** When it last changed. */
    updated_at: string
  })[]
  /** What `after` is for the next page; null on the last one. */
  next: string | null
}

export type CancelPaymentUnsignedTransaction = CancelPaymentEvmTransaction | CancelPaymentSolanaTransaction

export interface CancelPaymentEvmTransaction {
  family: "evm"
  /** The chain that the payer pays on. */
  chain_name: string
  /** Version of this object's shape. */
  schema_version: number
  /** What to sign. */
  transactionRequest: {
    /** The contract or account called. */
    to: string
    /** The payer, who has to sign. */
    from: string
    /** Calldata, 0x-hex. */
    data: string
    /** The payer's account nonce. */
    nonce: number
    /** Native coin sent along, in its smallest unit. */
    value: string
    /** The chain's id. */
    chainId: number
    /** Upper limit of gas. */
    gasLimit: string
    /** Highest total fee per gas, in wei. */
    maxFeePerGas: string
    /** Highest priority fee per gas, in wei. */
    maxPriorityFeePerGas: string
  }
}

export interface CancelPaymentSolanaTransaction {
  family: "solana"
  /** The chain that the payer pays on. */
  chain_name: string
  /** Version of this object's shape. */
  schema_version: number
  /** The unsigned wire, base64. */
  serialized: string
  /** The blockhash it is bound to. */
  recent_blockhash: string
  /** The last block height at which it can land. */
  last_valid_block_height: number
  /** Who pays the fee and signs. */
  fee_payer: string
  /** The key that marks the transfer as this payment. */
  reference: string
}

export interface CancelPaymentData {
  /** The id of the payment. */
  id: string
  /** Where it stands. */
  status: "registered" | "pending" | "success" | "error" | "reproved"
  /** `api_transaction`, or `order_transaction` when it came from an order. */
  executor_id: string
  /** The id of the order it came from. */
  order_code: string | null
  /** How it is paid; null before a transaction is created. */
  transaction_type: "crypto" | "pixcrypto" | "cardcrypto" | "cardfiat" | null
  /** The payer's e-mail address. */
  payer_email: string
  /** The payer's wallet, for crypto payments. */
  payer_wallet: string
  /** The token the payer pays with. */
  payer_token_symbol: string | null
  /** The payer's tax id, masked. */
  payer_cpf: string | null
  /** The hash on chain after a successful execution. */
  tid_hash: string | null
  /** The fiat currency asked for, e.g. `BRL`. */
  from_currency_symbol: string
  /** The amount in the fiat currency. */
  amount_from: string
  /** The token that the receivers get, e.g. `USDT`. */
  to_currency_symbol: string
  /** The quoted amount of that token; null, in REST an empty text, before a transaction is created. */
  amount_to: string
  /** The chain that the payer pays on. */
  chain_name: string
  /** The chain that the payer pays on. */
  from_chain: string
  /** The chain that the receivers are paid on. */
  to_chain: string
  /** Whether the payer started it as an on-ramp. */
  on_ramp: boolean
  /** Who receives, and which share. */
  split_payment_config: readonly ({
    /** The receiver's address on the destination chain. */
    receiver_wallet: string
    /** The share in percent, 0 to 100; all shares sum to exactly 100. */
    receiver_percent: number
    /** The receiver's id at the card processor; card to fiat needs it. */
    recipient_id: string | null
    /** Whether the receiver is liable for chargebacks. */
    liable: boolean | null
    /** Whether the receiver bears the processor's fee. */
    charge_processing_fee: boolean | null
  })[]
  /** What the payer has to sign. */
  unsigned_tx: CancelPaymentUnsignedTransaction | null
  /** What the payer signed. */
  signed_tx: string | null
  /** What its payer got back by refunds, in the currency that was charged. */
  refunded_amount: string
  /** What has come to its address, in `to_currency_symbol`: parts too, and what is held. */
  received_amount: string
  /** What came beyond what was due, in `to_currency_symbol`, at its address or by a wallet that paid besides; a wallet pays the receivers, or what is held for them. */
  overpaid_amount: string
  /** Whether it was paid at its address after the price had run out. */
  late: boolean
  /** The processor's answer; a message object for crypto. */
  global_payment_data: unknown
  /** Present when the status is error, and when a card was refused (reproved). */
  data_error: {
    /** A stable code. */
    code: string
    /** The status the payment took. */
    status: "registered" | "pending" | "success" | "error" | "reproved"
    /** What happened, for people. */
    message: string
    /** More, where the system behind told it. */
    details: string | null
  } | null
  /** The hosted payment page: signed, and good until the payment expires. */
  session_payment: string
  /** The caller's own data. */
  metadata: unknown
  /** When it was registered. */
  created_at: string
  /** When it last changed. */
  updated_at: string
}

/** A refund to be made. */
export interface RefundPaymentInput {
  /** In the currency that was charged, with its decimals; by default what is left of the payment. */
  amount?: string | null
  /** Why. */
  reason?: "requested_by_customer" | "duplicate" | "fraudulent" | "other" | null
}

export interface RefundPaymentData {
  /** The id of the refund. */
  refund_id: string
  /** The payment. */
  payment_id: string
  /** How much the payer gets back. */
  amount: string
  /** The currency that was charged, e.g. `BRL`. */
  currency: string
  /** Where it stands. */
  status: "pending" | "succeeded" | "failed"
  /** Why; null where nobody said it, as for one that was made in the provider's dashboard. */
  reason: "requested_by_customer" | "duplicate" | "fraudulent" | "other" | null
  /** When it was made. */
  created_at: string
}

export interface ListRefundsData {
  /** What went back to its payer, or is on its way, oldest first. */
  refunds: readonly ({
    /** The id of the refund. */
    refund_id: string
    /** The payment. */
    payment_id: string
    /** How much the payer gets back. */
    amount: string
    /** The currency that was charged, e.g. `BRL`. */
    currency: string
    /** Where it stands. */
    status: "pending" | "succeeded" | "failed"
    /** Why; null where nobody said it, as for one that was made in the provider's dashboard. */
    reason: "requested_by_customer" | "duplicate" | "fraudulent" | "other" | null
    /** When it was made. */
    created_at: string
  })[]
}

/** The payer's signed transaction, or the one that his wallet has sent. */
export interface ExecuteOnChainInput {
  /** The payment that it pays. */
  payment_id: string
  /** EVM: 0x-hex; Solana: base64 wire. Either this or `tx_hash`. */
  signed_transaction?: string | null
  /** Of a wallet that sends by itself: the hash of its transaction; on Solana its signature, base58. */
  tx_hash?: string | null
}

export interface ExecuteOnChainData {
  /** The id of the payment. */
  id: string
  /** The hash of the transaction on chain. */
  tid_hash: string
}

export interface QuoteMarketData {
  /** The symbol that the price is from. */
  symbol: string
  /** The price of the symbol. */
  price: string
  /** Whose price it is. */
  source: string
  /** The market. */
  market: {
    /** The symbol, e.g. `ETHBRL`. */
    symbol: string
    /** The price. */
    price: string
  }
  /** How its symbol reads. */
  exchange: {
    /** The symbol, e.g. `ETHBRL`. */
    symbol: string
    /** The currency priced. */
    base: string
    /** The currency it is priced in. */
    quote: string
    /** What the price says, for people. */
    meaning: string
  }
  /** The price both ways. */
  rates: readonly ({
    /** The currency priced. */
    from: string
    /** The currency it is priced in. */
    to: string
    /** How much `to` one `from` is. */
    price: string
    /** A sentence such as "1 ETH = 18250.5 BRL". */
    description: string
  })[]
  /** The price the way it was asked for. */
  requested: {
    /** The currency priced. */
    from: string
    /** The currency it is priced in. */
    to: string
    /** How much `to` one `from` is. */
    price: string
    /** A sentence such as "1 ETH = 18250.5 BRL". */
    description: string
  }
  /** Set where no market has both currencies. */
  route?: {
    /** Always via_usdt. */
    type: "via_usdt"
    /** The markets, in order. */
    legs: readonly ({
      /** The symbol, e.g. `POLUSDT`. */
      symbol: string
      /** The currency priced. */
      base: string
      /** The currency it is priced in. */
      quote: string
      /** The price. */
      price: string
      /** A sentence such as "1 POL = 0.25 USDT". */
      description: string
    })[]
  }
}

export interface ProductsData {
  /** Payments by crypto wallets. */
  crypto: boolean
  /** Payments by Pix. */
  pix: boolean
  /** Payments by card. */
  credit_card: boolean
  /** Identity verification. */
  kyc: boolean
  /** Lending: whether the deployment has markets. */
  yield: boolean
}

/** A checkout order to create. As JSON it has at most 64 KiB. */
export interface CreateOrderInput {
  /** Who executes it: the tenant's own word, e.g. `api_transaction`. */
  executor_id: string
  /** The fiat currency, e.g. `BRL`. */
  from_currency_symbol: string
  /** The amount in the fiat currency, above 0, with no more decimals than the currency has. */
  amount_from: string
  /** The token that the receivers get, e.g. `USDT`. */
  to_currency_symbol: string
  /** The chain that the receivers are paid on. */
  to_chain?: string | null
  /** Whether the payer starts it as an on-ramp; false for payments received by Pix. */
  on_ramp: boolean
  /** One-time or subscription. */
  gateway_method: "direct" | "subs"
  /** How it may be paid. At least one method. Left out: every method whose product is enabled. */
  payment_method_allowed?: PaymentMethodsInput | null
  /** What is sold. At most 100. */
  order_items?: readonly (OrderItemInput)[] | null
  /** Who receives, and which share. The percentages sum to exactly 100. */
  split_payment_config?: readonly (SplitReceiverInput)[] | null
  /** How a subscription continues. Required for a subscription. */
  subscription_payment_config?: SubscriptionConfigInput | null
  /** The integration of payments that name none. */
  tenant_data?: TenantDataInput | null
  /** Where the payment page sends a payer back to once it is paid. https; in the sandbox http on its own machine too. */
  success_url?: string | null
  /** Where the payment page sends a payer back to before that. https; in the sandbox http on its own machine too. */
  cancel_url?: string | null
}

/** Something that is sold. */
export interface OrderItemInput {
  /** What it is called. */
  name: string
  /** How many of it, at least 1. */
  quantity: number
  /** More about it. */
  description?: string | null
  /** A picture of it: an http or https URL; an empty text is none. */
  image_url?: string | null
}

export interface CreateOrderData {
  /** The id of the order. */
  order_id: string
}

export interface ListOrdersData {
  /** The orders, newest first. */
  orders: readonly ({
    /** The id of the order. */
    id: string
    /** What is sold. */
    order_items: readonly ({
      /** What it is called. */
      name: string
      /** How many of it, at least 1. */
      quantity: number
      /** More about it. */
      description: string | null
      /** A picture of it: an http or https URL; an empty text is none. */
      image_url: string | null
    })[]
    /** The tenant whose order it is. */
    tenant_id: string
    /** Who receives, and which share. */
    split_payment_config: readonly ({
      /** The receiver's address on the destination chain. */
      receiver_wallet: string
      /** The share in percent, 0 to 100; all shares sum to exactly 100. */
      receiver_percent: number
      /** The receiver's id at the card processor; card to fiat needs it. */
      recipient_id: string | null
      /** Whether the receiver is liable for chargebacks. */
      liable: boolean | null
      /** Whether the receiver bears the processor's fee. */
      charge_processing_fee: boolean | null
    })[]
    /** How a subscription continues. */
    subscription_payment_config: {
      /** What the plan is called. */
      plan_name: string
      /** The time between two payments. */
      interval: "weekly" | "monthly" | "yearly"
      /** When the next payment is due, in whole Unix seconds. */
      next_payment_at: number | null
      /** Whether a card on file is charged by itself. */
      charge: boolean
      /** How often a refused charge is tried again, a day apart. */
      retry_count: number
    } | null
    /** The fiat currency, e.g. `BRL`. */
    from_currency_symbol: string
    /** The amount in the fiat currency, above 0, with no more decimals than the currency has. */
    amount_from: string
    /** The token that the receivers get, e.g. `USDT`. */
    to_currency_symbol: string
    /** The chain that the receivers are paid on. */
    to_chain: string | null
    /** Whether the payer starts it as an on-ramp; false for payments received by Pix. */
    on_ramp: boolean
    /** One-time or subscription. */
    gateway_method: "direct" | "subs"
    /** How it may be paid. */
    payment_method_allowed: {
      /** A crypto wallet pays on a chain. */
      crypto: boolean
      /** Pix pays, the receivers get crypto. */
      pixcrypto: boolean
      /** A card pays, the receivers get crypto. */
      cardcrypto: boolean
      /** A card pays, the receivers get fiat. */
      cardfiat: boolean
      /** Crypto pays, the receivers get fiat. */
      cryptofiat: boolean
      /** Crypto pays, the receivers get Pix. */
      cryptopix: boolean
    }
    /** Who executes it: the tenant's own word, e.g. `api_transaction`. */
    executor_id: string
    /** Whether payments can be registered from it. */
    active: boolean
    /** Empty: predefined payment sessions are not enabled. */
    payment_session_link: string
    /** When it was created. */
    order_created_at: string
    /** When it last changed. */
    order_updated_at: string
  })[]
  /** Where the page stands. */
  pagination: {
    /** How many there are in all. */
    total: number
    /** The page, from 1. */
    page: number
    /** How many a page holds. */
    limit: number
    /** How many pages there are. */
    total_pages: number
  }
}

export interface OrderData {
  /** The id of the order. */
  id: string
  /** What is sold. */
  order_items: readonly ({
    /** What it is called. */
    name: string
    /** How many of it, at least 1. */
    quantity: number
    /** More about it. */
    description: string | null
    /** A picture of it: an http or https URL; an empty text is none. */
    image_url: string | null
  })[]
  /** The tenant whose order it is. */
  tenant_id: string
  /** Who receives, and which share. */
  split_payment_config: readonly ({
    /** The receiver's address on the destination chain. */
    receiver_wallet: string
    /** The share in percent, 0 to 100; all shares sum to exactly 100. */
    receiver_percent: number
    /** The receiver's id at the card processor; card to fiat needs it. */
    recipient_id: string | null
    /** Whether the receiver is liable for chargebacks. */
    liable: boolean | null
    /** Whether the receiver bears the processor's fee. */
    charge_processing_fee: boolean | null
  })[]
  /** How a subscription continues. */
  subscription_payment_config: {
    /** What the plan is called. */
    plan_name: string
    /** The time between two payments. */
    interval: "weekly" | "monthly" | "yearly"
    /** When the next payment is due, in whole Unix seconds. */
    next_payment_at: number | null
    /** Whether a card on file is charged by itself. */
    charge: boolean
    /** How often a refused charge is tried again, a day apart. */
    retry_count: number
  } | null
  /** The fiat currency, e.g. `BRL`. */
  from_currency_symbol: string
  /** The amount in the fiat currency, above 0, with no more decimals than the currency has. */
  amount_from: string
  /** The token that the receivers get, e.g. `USDT`. */
  to_currency_symbol: string
  /** The chain that the receivers are paid on. */
  to_chain: string | null
  /** Whether the payer starts it as an on-ramp; false for payments received by Pix. */
  on_ramp: boolean
  /** One-time or subscription. */
  gateway_method: "direct" | "subs"
  /** How it may be paid. */
  payment_method_allowed: {
    /** A crypto wallet pays on a chain. */
    crypto: boolean
    /** Pix pays, the receivers get crypto. */
    pixcrypto: boolean
    /** A card pays, the receivers get crypto. */
    cardcrypto: boolean
    /** A card pays, the receivers get fiat. */
    cardfiat: boolean
    /** Crypto pays, the receivers get fiat. */
    cryptofiat: boolean
    /** Crypto pays, the receivers get Pix. */
    cryptopix: boolean
  }
  /** Who executes it: the tenant's own word, e.g. `api_transaction`. */
  executor_id: string
  /** Whether payments can be registered from it. */
  active: boolean
  /** Empty: predefined payment sessions are not enabled. */
  payment_session_link: string
  /** When it was created. */
  order_created_at: string
  /** When it last changed. */
  order_updated_at: string
}

/** What to change of an order; what is left out stays as it is, null clears what an order can be without, and is refused for what it needs. */
export interface UpdateOrderInput {
  /** Who executes it: the tenant's own word, e.g. `api_transaction`. */
  executor_id?: string | null
  /** The fiat currency, e.g. `BRL`. */
  from_currency_symbol?: string | null
  /** The amount in the fiat currency, above 0, with no more decimals than the currency has. */
  amount_from?: string | null
  /** The token that the receivers get, e.g. `USDT`. */
  to_currency_symbol?: string | null
  /** The chain that the receivers are paid on; null leaves it to the payer. */
  to_chain?: string | null
  /** Whether the payer starts it as an on-ramp; false for payments received by Pix. */
  on_ramp?: boolean | null
  /** One-time or subscription. */
  gateway_method?: "direct" | "subs" | null
  /** Replaces the allowed methods; at least one. Null: every method whose product is enabled. */
  payment_method_allowed?: PaymentMethodsInput | null
  /** Merged by index with what is sold, at most 100 in all, so an empty list changes nothing; null clears the list. */
  order_items?: readonly (OrderItemPatch)[] | null
  /** Merged by index with the receivers; null clears the list. */
  split_payment_config?: readonly (SplitReceiverPatch)[] | null
  /** Merged with the subscription's terms; null clears them. */
  subscription_payment_config?: SubscriptionConfigPatch | null
  /** Where the payment page sends a payer back to once it is paid; null removes it. */
  success_url?: string | null
  /** Where the payment page sends a payer back to before that; null removes it. */
  cancel_url?: string | null
}

/** What to change of the item at the same place; one behind the last has to be complete. */
export interface OrderItemPatch {
  /** What it is called. */
  name?: string | null
  /** How many of it, at least 1. */
  quantity?: number | null
  /** More about it. */
  description?: string | null
  /** A picture of it: an http or https URL; an empty text is none. */
  image_url?: string | null
}

/** What to change of the receiver at the same place; one behind the last has to be complete. */
export interface SplitReceiverPatch {
  /** The receiver's address on the destination chain. */
  receiver_wallet?: string | null
  /** The share in percent, 0 to 100; all shares sum to exactly 100. */
  receiver_percent?: number | null
  /** The receiver's id at the card processor; card to fiat needs it. */
  recipient_id?: string | null
  /** Whether the receiver is liable for chargebacks. */
  liable?: boolean | null
  /** Whether the receiver bears the processor's fee. */
  charge_processing_fee?: boolean | null
}

/** What to change of a subscription's terms; they have to be complete where there were none. */
export interface SubscriptionConfigPatch {
  /** What the plan is called. */
  plan_name?: string | null
  /** The time between two payments. */
  interval?: "weekly" | "monthly" | "yearly" | null
  /** When the next payment is due, in whole Unix seconds. */
  next_payment_at?: number | null
  /** Whether a card on file is charged by itself. */
  charge?: boolean | null
  /** How often a refused charge is tried again, a day apart. */
  retry_count?: number | null
}

export interface UpdateOrderData {
  /** The id of the order. */
  id: string
  /** What is sold. */
  order_items: readonly ({
    /** What it is called. */
    name: string
    /** How many of it, at least 1. */
    quantity: number
    /** More about it. */
    description: string | null
    /** A picture of it: an http or https URL; an empty text is none. */
    image_url: string | null
  })[]
  /** The tenant whose order it is. */
  tenant_id: string
  /** Who receives, and which share. */
  split_payment_config: readonly ({
    /** The receiver's address on the destination chain. */
    receiver_wallet: string
    /** The share in percent, 0 to 100; all shares sum to exactly 100. */
    receiver_percent: number
    /** The receiver's id at the card processor; card to fiat needs it. */
    recipient_id: string | null
    /** Whether the receiver is liable for chargebacks. */
    liable: boolean | null
    /** Whether the receiver bears the processor's fee. */
    charge_processing_fee: boolean | null
  })[]
  /** How a subscription continues. */
  subscription_payment_config: {
    /** What the plan is called. */
    plan_name: string
    /** The time between two payments. */
    interval: "weekly" | "monthly" | "yearly"
    /** When the next payment is due, in whole Unix seconds. */
    next_payment_at: number | null
    /** Whether a card on file is charged by itself. */
    charge: boolean
    /** How often a refused charge is tried again, a day apart. */
    retry_count: number
  } | null
  /** The fiat currency, e.g. `BRL`. */
  from_currency_symbol: string
  /** The amount in the fiat currency, above 0, with no more decimals than the currency has. */
  amount_from: string
  /** The token that the receivers get, e.g. `USDT`. */
  to_currency_symbol: string
  /** The chain that the receivers are paid on. */
  to_chain: string | null
  /** Whether the payer starts it as an on-ramp; false for payments received by Pix. */
  on_ramp: boolean
  /** One-time or subscription. */
  gateway_method: "direct" | "subs"
  /** How it may be paid. */
  payment_method_allowed: {
    /** A crypto wallet pays on a chain. */
    crypto: boolean
    /** Pix pays, the receivers get crypto. */
    pixcrypto: boolean
    /** A card pays, the receivers get crypto. */
    cardcrypto: boolean
    /** A card pays, the receivers get fiat. */
    cardfiat: boolean
    /** Crypto pays, the receivers get fiat. */
    cryptofiat: boolean
    /** Crypto pays, the receivers get Pix. */
    cryptopix: boolean
  }
  /** Who executes it: the tenant's own word, e.g. `api_transaction`. */
  executor_id: string
  /** Whether payments can be registered from it. */
  active: boolean
  /** Empty: predefined payment sessions are not enabled. */
  payment_session_link: string
  /** When it was created. */
  order_created_at: string
  /** When it last changed. */
  order_updated_at: string
}

export interface DeleteOrderData {
  /** The id of the order. */
  id: string
}

export interface ToggleOrderData {
  /** The id of the order. */
  id: string
  /** Whether payments can be registered from it. */
  active: boolean
}

export interface ListWebhookDeliveriesData {
  /** The deliveries, newest first. */
  deliveries: readonly ({
    /** The id of the delivery; the `webhook-id` of every attempt. */
    id: string
    /** Whose event it tells of. */
    source: "payments" | "subscriptions" | "orders" | "kyc" | "refunds" | "tests"
    /** The id of the payment, order, subscription or verification that the event is about. */
    resource_id: string
    /** The number of the event among those of its resource. */
    sequence: number
    /** The type of the event, e.g. `payment.success`. */
    type: string
    /** Where it is sent to. */
    url: string
    /** What is sent. Null for a key or a person who may not read its resource: payments, refunds and subscriptions need `payments:read`, orders `orders:read`, verifications `kyc:read`. */
    body: unknown
    /** Where it stands. */
    state: "pending" | "delivered" | "failed"
    /** What was tried, oldest first: the newest 20 attempts. The `number` of the last one says how many there were. */
    attempts: readonly ({
      /** Counts from 1, replays included. */
      number: number
      /** When it began. */
      attempted_at: string
      /** The receiver's answer; null where there was none. */
      http_status: number | null
      /** Why there was no answer. */
      failure: "address_refused" | "lookup_failed" | "timeout" | "tls_failed" | "connection_failed" | "no_secret" | null
      /** How long it took, in milliseconds. */
      duration_ms: number
      /** The first 1,000 characters of what the receiver answered, with `•` for secrets and long numbers. Null where there was no text, and for whom `body` of the delivery is. */
      response_body: string | null
    })[]
    /** When it is tried again; null before the first attempt. */
    next_attempt_at: string | null
    /** When the receiver last took it. */
    delivered_at: string | null
    /** Since when its address has taken nothing: the first attempt that failed since the last one that it took. Null when it takes deliveries. */
    endpoint_failing_since: string | null
    /** The webhook endpoint that it is for, a deleted one too; null where a payment, an order or an integration names the address. */
    endpoint_id: string | null
    /** Why it failed before its attempts were used up; null where it did not. */
    ended_because: "endpoint_deleted" | "endpoint_disabled" | null
    /** When the event was taken up. */
    created_at: string
  })[]
  /** What `after` is for the next page; null on the last one. */
  next: string | null
}

export interface ReplayWebhookDeliveryData {
  /** The id of the delivery; the `webhook-id` of every attempt. */
  id: string
  /** Whose event it tells of. */
  source: "payments" | "subscriptions" | "orders" | "kyc" | "refunds" | "tests"
  /** The id of the payment, order, subscription or verification that the event is about. */
  resource_id: string
  /** The number of the event among those of its resource. */
  sequence: number
  /** The type of the event, e.g. `payment.success`. */
  type: string
  /** Where it is sent to. */
  url: string
  /** What is sent. Null for a key or a person who may not read its resource: payments, refunds and subscriptions need `payments:read`, orders `orders:read`, verifications `kyc:read`. */
  body: unknown
  /** Where it stands. */
  state: "pending" | "delivered" | "failed"
  /** What was tried, oldest first: the newest 20 attempts. The `number` of the last one says how many there were. */
  attempts: readonly ({
    /** Counts from 1, replays included. */
    number: number
    /** When it began. */
    attempted_at: string
    /** The receiver's answer; null where there was none. */
    http_status: number | null
    /** Why there was no answer. */
    failure: "address_refused" | "lookup_failed" | "timeout" | "tls_failed" | "connection_failed" | "no_secret" | null
    /** How long it took, in milliseconds. */
    duration_ms: number
    /** The first 1,000 characters of what the receiver answered, with `•` for secrets and long numbers. Null where there was no text, and for whom `body` of the delivery is. */
    response_body: string | null
  })[]
  /** When it is tried again; null before the first attempt. */
  next_attempt_at: string | null
  /** When the receiver last took it. */
  delivered_at: string | null
  /** Since when its address has taken nothing: the first attempt that failed since the last one that it took. Null when it takes deliveries. */
  endpoint_failing_since: string | null
  /** The webhook endpoint that it is for, a deleted one too; null where a payment, an order or an integration names the address. */
  endpoint_id: string | null
  /** Why it failed before its attempts were used up; null where it did not. */
  ended_because: "endpoint_deleted" | "endpoint_disabled" | null
  /** When the event was taken up. */
  created_at: string
}

/** A test event. */
export interface SendTestWebhookInput {
  /** Its type: `payment.registered`, `payment.pending`, `payment.success`, `payment.error`, `payment.reproved`, `payment.disputed`, `refund.created`, `refund.succeeded`, `refund.failed`, `order.created`, `order.updated`, `subscription.started`, `subscription.payment_registered`, `subscription.renewed`, `subscription.payment_failed`, `subscription.past_due`, `subscription.changed`, `subscription.paused`, `subscription.resumed`, `subscription.canceled`, `kyc.updated`. */
  type: string
  /** Of which integration; the default one where left out. */
  public_client_id?: string | null
  /** Of which webhook endpoint, in place of an integration. */
  endpoint_id?: string | null
}

export interface SendTestWebhookData {
  /** The id of the delivery; the `webhook-id` of every attempt. */
  id: string
  /** Whose event it tells of. */
  source: "payments" | "subscriptions" | "orders" | "kyc" | "refunds" | "tests"
  /** The id of the payment, order, subscription or verification that the event is about. */
  resource_id: string
  /** The number of the event among those of its resource. */
  sequence: number
  /** The type of the event, e.g. `payment.success`. */
  type: string
  /** Where it is sent to. */
  url: string
  /** What is sent. Null for a key or a person who may not read its resource: payments, refunds and subscriptions need `payments:read`, orders `orders:read`, verifications `kyc:read`. */
  body: unknown
  /** Where it stands. */
  state: "pending" | "delivered" | "failed"
  /** What was tried, oldest first: the newest 20 attempts. The `number` of the last one says how many there were. */
  attempts: readonly ({
    /** Counts from 1, replays included. */
    number: number
    /** When it began. */
    attempted_at: string
    /** The receiver's answer; null where there was none. */
    http_status: number | null
    /** Why there was no answer. */
    failure: "address_refused" | "lookup_failed" | "timeout" | "tls_failed" | "connection_failed" | "no_secret" | null
    /** How long it took, in milliseconds. */
    duration_ms: number
    /** The first 1,000 characters of what the receiver answered, with `•` for secrets and long numbers. Null where there was no text, and for whom `body` of the delivery is. */
    response_body: string | null
  })[]
  /** When it is tried again; null before the first attempt. */
  next_attempt_at: string | null
  /** When the receiver last took it. */
  delivered_at: string | null
  /** Since when its address has taken nothing: the first attempt that failed since the last one that it took. Null when it takes deliveries. */
  endpoint_failing_since: string | null
  /** The webhook endpoint that it is for, a deleted one too; null where a payment, an order or an integration names the address. */
  endpoint_id: string | null
  /** Why it failed before its attempts were used up; null where it did not. */
  ended_because: "endpoint_deleted" | "endpoint_disabled" | null
  /** When the event was taken up. */
  created_at: string
}

/** Whom to prepare for verification. */
export interface PrepareKycInput {
  /** Compared in lower case. */
  email: string
}

export interface PrepareKycData {
  /** Whether the e-mail address is proved. */
  email_verified: boolean
  /** Whether the verification is approved. */
  kyc_approved: boolean
  /** Where the verification stands. */
  kyc_status: "pending" | "in_review" | "approved" | "declined" | "abandoned" | "expired"
}

/** Whom to send a one-time code. */
export interface SendEmailOtpInput {
  /** An address that was prepared. */
  email: string
  /** Also where it is proved already, for somebody who has to prove it anew. */
  again?: boolean | null
}

export interface SendEmailOtpData {
  /** Until when it works. */
  expires_at: string
}

/** A one-time code as its owner typed it. */
export interface VerifyEmailOtpInput {
  /** The address that it was sent to. */
  email: string
  /** Six digits. */
  code: string
  /** Also where it is proved already, for a code that was sent again. */
  again?: boolean | null
}

export interface VerifyEmailOtpData {
  /** Always true. */
  email_verified: boolean
}

export interface KycRecordData {
  /** Where it stands. */
  status: "pending" | "in_review" | "approved" | "declined" | "abandoned" | "expired"
  /** Whether it stands at approved. */
  approved: boolean
  /** The verification provider's id of the session. */
  session_id: string
  /** The session's status in the provider's own word. */
  session_status: string
  /** The hosted page of the session. */
  session_url: string
  /** Connections and devices, each once. */
  ip_info: readonly ({
    /** The country of the connection. */
    country: string | null
    /** Its code of two letters. */
    country_code: string | null
    /** The state or province of the connection. */
    state: string | null
    /** The city of the connection. */
    city: string | null
    /** The country of the connection. */
    ip_country: string | null
    /** The state or province of the connection. */
    ip_state: string | null
    /** The city of the connection. */
    ip_city: string | null
    /** The internet provider. */
    isp: string | null
    /** Whether it came through a VPN or Tor. */
    is_vpn_or_tor: boolean
    /** Whether it came from a data center. */
    is_data_center: boolean
    /** Who made the device. */
    device_brand: string | null
    /** Which device. */
    device_model: string | null
    /** Which browser. */
    browser_family: string | null
    /** Which operating system. */
    os_family: string | null
    /** What kind of device, in the verification provider's own word, e.g. `mobile`, `tablet` or `desktop`. */
    platform: string | null
  })[]
  /** Whether a document or a face is on a blocklist. */
  is_blocklisted: boolean
}

/** Which wallet to challenge. */
export interface CreateWalletChallengeInput {
  /** The address of an EVM or a Solana wallet. */
  wallet: string
  /** `kyc`, or one line of the caller that the wallet shows its owner. */
  purpose?: string | null
}

export interface CreateWalletChallengeData {
  /** To be signed as it is, every character. */
  message: string
  /** The address in its canonical form. */
  wallet: string
  /** The kind of chain that the wallet is of. */
  wallet_chain: "evm" | "solana"
  /** From when on it no longer works. */
  expires_at: string
}

/** A challenge that a wallet has signed. */
export interface PrepareWalletKycInput {
  /** The challenge, unchanged. */
  message: string
  /** EVM: 0x-hex. Solana: base58 or base64 of 64 bytes. */
  signed_bytes: string
  /** The wallet, if it is to be compared with the challenge. */
  wallet?: string | null
  /** An address to link to the wallet; it stays unproved. */
  email?: string | null
}

export interface PrepareWalletKycData {
  /** Whether the e-mail address is proved. */
  email_verified: boolean
  /** Whether the wallet is proved. */
  wallet_verified: boolean
  /** Whether the verification is approved. */
  kyc_approved: boolean
  /** Where the verification stands. */
  kyc_status: "pending" | "in_review" | "approved" | "declined" | "abandoned" | "expired"
}

/** Whose session to create: an e-mail address, or a wallet. */
export interface CreateKycSessionInput {
  /** A proved e-mail address. */
  email?: string | null
  /** A proved wallet. */
  wallet?: string | null
  /** A natural person where it is left out. */
  subject_kind?: "person" | "company" | null
}

export interface CreateKycSessionData {
  /** Always true. */
  success: boolean
  /** What was done. */
  message: "kyc_session_created" | "kyc_session_resumed" | "kyc_already_approved"
  /** The session. */
  session: {
    /** The provider's id of it. */
    session_id: string
    /** The hosted page. */
    session_url: string
    /** Its status in the provider's own word. */
    session_status: string
  }
}

export interface YieldStrategiesData {
  /** The strategies. */
  strategies: readonly ({
    /** Provider, mint and market, separated by colons. */
    strategy_id: string
    /** The provider. */
    provider: "alpha_lend" | "beta"
    /** The protocol's own name. */
    protocol_display_name: string
    /** The kind of product, e.g. `lending`. */
    product_type: string
    /** Whether it takes deposits, both by the protocol and by this deployment. */
    enabled: boolean
    /** The token. */
    token: {
      /** The symbol, e.g. `USDC`. */
      symbol: string
      /** The mint's address. */
      mint: string
      /** How many decimals its base unit has. */
      decimals: number | null
    }
    /** Rates. */
    apy: {
      /** What lending pays, without rewards. */
      supply: {
        /** In percent: 4 is 4 %. */
        percent: number
        /** As a decimal fraction: 0.04 is 4 %. */
        annualized: number
      } | null
      /** What lending pays, with rewards. */
      total_with_rewards: {
        /** In percent: 4 is 4 %. */
        percent: number
        /** As a decimal fraction: 0.04 is 4 %. */
        annualized: number
      } | null
      /** What rewards add. */
      rewards_only: {
        /** In percent: 4 is 4 %. */
        percent: number
        /** As a decimal fraction: 0.04 is 4 %. */
        annualized: number
      } | null
      /** What borrowing costs. */
      borrow: {
        /** In percent: 4 is 4 %. */
        percent: number
        /** As a decimal fraction: 0.04 is 4 %. */
        annualized: number
      } | null
    }
    /** Risk. */
    risk: {
      /** 0.8 is 80 %. */
      max_ltv: number | null
      /** 80 is 80 %. */
      max_ltv_percent: number | null
    }
    /** Size. */
    liquidity: {
      /** The value locked. */
      tvl_usd: number | null
      /** All that was lent. */
      total_supply_usd: number | null
      /** All that is borrowed of it. */
      total_borrow_usd: number | null
    }
    /** Accounts. */
    addresses: {
      /** The market or vault. */
      market_or_vault: string
      /** The reserve. */
      reserve: string | null
      /** The mint of the shares that a deposit gives. */
      share_mint: string | null
    }
  })[]
  /** The providers; the last known figures are served while one is down. */
  sources: Readonly<Record<string, {
    /** Whether it answered when it was last asked. */
    ok: boolean
    /** More about it, for people. */
    message: string
    /** How many of its strategies are in the answer. */
    count: number
  }>>
}

export interface RebalanceOpportunitiesData {
  /** Best spread first. */
  opportunities: readonly ({
    /** The token. */
    token: {
      /** The symbol, e.g. `USDC`. */
      symbol: string
      /** The mint's address. */
      mint: string
    }
    /** The routes, best first, e.g. `SOL-KAMINO > SOL-JUPITER`. */
    route_winner: string
    /** The strategy that pays most. */
    winner: {
      /** The provider. */
      provider: "alpha_lend" | "beta"
      /** The protocol's own name. */
      protocol_display_name: string
      /** The strategy. */
      strategy_id: string
      /** What it pays a year with rewards, in percent. */
      apy_percent: number
    }
    /** All others, best first. */
    alternatives: readonly ({
      /** The provider. */
      provider: "alpha_lend" | "beta"
      /** The protocol's own name. */
      protocol_display_name: string
      /** The strategy. */
      strategy_id: string
      /** What it pays a year with rewards, in percent. */
      apy_percent: number
    })[]
    /** How much more the winner pays than the last of the others, in percent. */
    apy_spread_percent: number
  })[]
}

/** A deposit into a strategy. */
export interface DepositYieldInput {
  /** The provider. */
  provider: "alpha_lend" | "beta" | "jupiter_lend" | "kamino"
  /** The token's symbol, or its mint. */
  asset: string
  /** Who deposits, and signs. */
  wallet: string
  /** How much, in whole tokens. */
  amount: string
  /** The chain, e.g. `solana`. */
  chain_name: string
}

export interface DepositYieldData {
  /** The wire in base64. */
  transaction: string
  /** The blockhash that it is good with. */
  recent_blockhash: string
  /** What this service takes of the amount, in whole tokens. */
  charged_fee_amount: string
  /** The same in percent of the amount. */
  fee_percentage_applied: string
  /** The last block height at which it can land. */
  last_valid_block_height: number
}

/** A withdrawal from a strategy. */
export interface WithdrawYieldInput {
  /** The provider. */
  provider: "alpha_lend" | "beta" | "jupiter_lend" | "kamino"
  /** The token's symbol, or its mint. */
  asset: string
  /** Who withdraws, and signs. */
  wallet: string
  /** How much, in whole tokens; required unless `all`, and left out with it. */
  amount?: string | null
  /** All that the position is worth when the transaction runs. */
  all?: boolean | null
  /** The chain, e.g. `solana`. */
  chain_name: string
}

export interface WithdrawYieldData {
  /** The wire in base64. */
  transaction: string
  /** The blockhash that it is good with. */
  recent_blockhash: string
  /** The last block height at which it can land. */
  last_valid_block_height: number
}

/** A move of money from one strategy into another of the same token. */
export interface RebalanceYieldInput {
  /** The provider of both legs. */
  provider?: "alpha_lend" | "beta" | "jupiter_lend" | "kamino" | null
  /** The provider that is withdrawn from. */
  provider_out?: "alpha_lend" | "beta" | "jupiter_lend" | "kamino" | null
  /** The provider that is deposited into. */
  provider_in?: "alpha_lend" | "beta" | "jupiter_lend" | "kamino" | null
  /** The token's symbol, or its mint. */
  asset?: string
  /** Another name of `asset`. */
  symbol?: string
  /** Another name of `asset`. */
  token_mint?: string
  /** Another name of `asset`. */
  mint?: string
  /** Whose money it is, and who signs. */
  wallet?: string
  /** How much, in whole tokens; required unless `all`, and left out with it. */
  amount?: string | null
  /** The whole position. */
  all?: boolean | null
  /** The chain, e.g. `solana`. */
  chain_name: string
  /** Another name of `wallet`. */
  signer?: string
}

export type RebalanceYieldData = {
  /** single_transaction. */
  mode: "single_transaction" | "two_transaction"
  /** Both legs: the wire in base64. */
  transaction: string
  /** The blockhash that it is good with. */
  recent_blockhash: string
  /** The last block height at which it can land. */
  last_valid_block_height: number
} | {
  /** two_transaction. */
  mode: "single_transaction" | "two_transaction"
  /** The first, out of the one strategy: the wire in base64. */
  withdraw_transaction: string
  /** The second, into the other: the wire in base64. */
  deposit_transaction: string
  /** The blockhash that both are good with. */
  recent_blockhash: string
  /** The last block height at which they can land. */
  last_valid_block_height: number
}

/** Signed transactions of a yield operation. */
export interface BroadcastYieldInput {
  /** The chain, e.g. `solana`. */
  chain_name: string
  /** One signed transaction in base64, or the two of a rebalance in their order. */
  op_signed: string | readonly (string)[] | null
}

export interface BroadcastYieldData {
  /** 1: it succeeded. */
  status: number
  /** The signature of the last transaction, base58. */
  transactionHash: string
  /** All signatures in their order, where two were sent. */
  transactionHashes?: readonly (string)[]
}

export interface YieldEarningsData {
  /** One entry for each query. */
  earnings: readonly ({
    /** The provider. */
    provider: "alpha_lend" | "beta"
    /** The token's symbol. */
    asset: string
    /** The wallet. */
    wallet: string
    /** The chain. */
    chain_name: string
    /** What it is worth in whole tokens, exactly; null where none. */
    position_on_protocol: number | null
    /** Whether it could be read, and why not. */
    earnings_status: "ok" | "no_position" | "provider_unavailable"
    /** More about what went wrong. */
    earnings_details: string | null
  })[]
}

export interface PaymentRegisteredEvent {
  type: "payment.registered"
  /** When it happened. */
  timestamp: string
  /** Grows with each event of the same resource. */
  sequence: number
  data: PaymentData
}

export interface PaymentPendingEvent {
  type: "payment.pending"
  /** When it happened. */
  timestamp: string
  /** Grows with each event of the same resource. */
  sequence: number
  data: PaymentData
}

export interface PaymentSuccessEvent {
  type: "payment.success"
  /** When it happened. */
  timestamp: string
  /** Grows with each event of the same resource. */
  sequence: number
  data: PaymentData
}

export interface PaymentErrorEvent {
  type: "payment.error"
  /** When it happened. */
  timestamp: string
  /** Grows with each event of the same resource. */
  sequence: number
  data: PaymentData
}

export interface PaymentReprovedEvent {
  type: "payment.reproved"
  /** When it happened. */
  timestamp: string
  /** Grows with each event of the same resource. */
  sequence: number
  data: PaymentData
}

export interface PaymentDisputedEvent {
  type: "payment.disputed"
  /** When it happened. */
  timestamp: string
  /** Grows with each event of the same resource. */
  sequence: number
  data: PaymentData
}

export interface RefundData {
  /** The id of the refund. */
  refund_id: string
  /** The payment. */
  payment_id: string
  /** How much the payer gets back. */
  amount: string
  /** The currency that was charged, e.g. `BRL`. */
  currency: string
  /** Where it stands. */
  status: "pending" | "succeeded" | "failed"
  /** Why; null where nobody said it, as for one that was made in the provider's dashboard. */
  reason: "requested_by_customer" | "duplicate" | "fraudulent" | "other" | null
  /** When it was made. */
  created_at: string
}

export interface RefundCreatedEvent {
  type: "refund.created"
  /** When it happened. */
  timestamp: string
  /** Grows with each event of the same resource. */
  sequence: number
  data: RefundData
}

export interface RefundSucceededEvent {
  type: "refund.succeeded"
  /** When it happened. */
  timestamp: string
  /** Grows with each event of the same resource. */
  sequence: number
  data: RefundData
}

export interface RefundFailedEvent {
  type: "refund.failed"
  /** When it happened. */
  timestamp: string
  /** Grows with each event of the same resource. */
  sequence: number
  data: RefundData
}

export interface OrderCreatedEvent {
  type: "order.created"
  /** When it happened. */
  timestamp: string
  /** Grows with each event of the same resource. */
  sequence: number
  data: OrderData
}

export interface OrderUpdatedEvent {
  type: "order.updated"
  /** When it happened. */
  timestamp: string
  /** Grows with each event of the same resource. */
  sequence: number
  data: OrderData
}

export interface SubscriptionData {
  /** The id of the subscription. */
  id: string
  /** Where it stands. */
  status: "active" | "past_due" | "paused" | "canceled"
  /** The id of its order; null where its first payment had none. */
  order_code: string | null
  /** What the plan is called. */
  plan_name: string
  /** The time between two payments. */
  interval: "weekly" | "monthly" | "yearly"
  /** Whether a card on file is charged by itself. */
  charge: boolean
  /** How often a refused charge is tried again, a day apart. */
  retry_count: number
  /** The payment that began it, or is the first one after its trial. */
  first_payment_id: string
  /** The payment that the last event was about. */
  payment_id: string | null
  /** When that payment was due; null for the first one. */
  due_at: string | null
  /** Periods that the last event left out, because nothing could be registered in time. */
  skipped_periods: number
  /** How often that payment's charge was refused. */
  refusals: number
  /** When it is charged next; null where that is not planned. */
  next_attempt_at: string | null
  /** When the next payment is registered; null where none will be. */
  next_payment_at: string | null
  /** Present when it was canceled. */
  cancel_reason: "requested" | "order_inactive" | "order_not_subscription" | "order_not_found" | null
  /** When it began. */
  created_at: string
  /** When it last changed. */
  updated_at: string
}

export interface SubscriptionStartedEvent {
  type: "subscription.started"
  /** When it happened. */
  timestamp: string
  /** Grows with each event of the same resource. */
  sequence: number
  data: SubscriptionData
}

export interface SubscriptionPaymentRegisteredEvent {
  type: "subscription.payment_registered"
  /** When it happened. */
  timestamp: string
  /** Grows with each event of the same resource. */
  sequence: number
  data: SubscriptionData
}

export interface SubscriptionRenewedEvent {
  type: "subscription.renewed"
  /** When it happened. */
  timestamp: string
  /** Grows with each event of the same resource. */
  sequence: number
  data: SubscriptionData
}

export interface SubscriptionPaymentFailedEvent {
  type: "subscription.payment_failed"
  /** When it happened. */
  timestamp: string
  /** Grows with each event of the same resource. */
  sequence: number
  data: SubscriptionData
}

export interface SubscriptionPastDueEvent {
  type: "subscription.past_due"
  /** When it happened. */
  timestamp: string
  /** Grows with each event of the same resource. */
  sequence: number
  data: SubscriptionData
}

export interface SubscriptionChangedEvent {
  type: "subscription.changed"
  /** When it happened. */
  timestamp: string
  /** Grows with each event of the same resource. */
  sequence: number
  data: SubscriptionData
}

export interface SubscriptionPausedEvent {
  type: "subscription.paused"
  /** When it happened. */
  timestamp: string
  /** Grows with each event of the same resource. */
  sequence: number
  data: SubscriptionData
}

export interface SubscriptionResumedEvent {
  type: "subscription.resumed"
  /** When it happened. */
  timestamp: string
  /** Grows with each event of the same resource. */
  sequence: number
  data: SubscriptionData
}

export interface SubscriptionCanceledEvent {
  type: "subscription.canceled"
  /** When it happened. */
  timestamp: string
  /** Grows with each event of the same resource. */
  sequence: number
  data: SubscriptionData
}

export interface KycUpdatedEvent {
  type: "kyc.updated"
  /** When it happened. */
  timestamp: string
  /** Grows with each event of the same resource. */
  sequence: number
  data: KycRecordData
}

/** What `registerPayment` takes. */
export type RegisterPaymentParams = (RegisterPaymentInput | RegisterCheckoutPaymentInput)

/** What `createTransaction` takes. */
export type CreateTransactionParams = (CreateTransactionInput)

/** What `tokenizeCard` takes. */
export type TokenizeCardParams = (TokenizeCardInput)

/** What `paymentStatus` takes. */
export type PaymentStatusParams = {
  /** Of the payment. */
  id: string
}

/** What `listPayments` takes. */
export type ListPaymentsParams = {
  /** Only payments in this status. */
  status?: "registered" | "pending" | "success" | "error" | "reproved"
  /** Only payments that are paid this way. */
  transaction_type?: "crypto" | "pixcrypto" | "fiatcrypto" | "cardcrypto" | "cardfiat"
  /** Only payments of this payer; small and capital letters are the same. */
  payer_email?: string
  /** Only payments with this id, or whose e-mail address, wallet, hash or a value of whose metadata begins with it, or, from 20 characters on, whose txid does: 3 to 200 characters; small and capital letters are the same. */
  search?: string
  /** Only payments registered at this time or later. */
  created_from?: string
  /** Only payments registered before this time. */
  created_before?: string
  /** Only payments from this order. */
  order_code?: string
  /** 1 to 100, by default 20. */
  limit?: number
  /** The `next` of the page before. */
  after?: string
}

/** What `cancelPayment` takes. */
export type CancelPaymentParams = {
  /** The payment. */
  id: string
}

/** What `refundPayment` takes. */
export type RefundPaymentParams = {
  /** The payment. */
  id: string
} & (RefundPaymentInput)

/** What `listRefunds` takes. */
export type ListRefundsParams = {
  /** Of the payment. */
  id: string
}

/** What `executeOnChain` takes. */
export type ExecuteOnChainParams = (ExecuteOnChainInput)

/** What `quoteMarket` takes. */
export type QuoteMarketParams = {
  /** E.g. `ETH`. */
  from?: string
  /** E.g. `BRL`. */
  to?: string
  /** E.g. `ETHUSDT`. */
  pair?: string
  /** One of two symbols. */
  try_one?: string
  /** The other. */
  try_two?: string
}

/** What `configProducts` takes. */
export type ConfigProductsParams = Readonly<Record<string, never>>

/** What `createOrder` takes. */
export type CreateOrderParams = (CreateOrderInput)

/** What `listOrders` takes. */
export type ListOrdersParams = {
  /** From 1, which is the default. */
  page?: number
  /** 1 to 100, by default 20. */
  limit?: number
  /** Only orders of this kind. */
  gateway_method?: "direct" | "subs"
  /** Only orders that are, or are not, on-ramps. */
  on_ramp?: boolean
}

/** What `getOrder` takes. */
export type GetOrderParams = {
  /** Of the order. */
  order_id: string
}

/** What `updateOrder` takes. */
export type UpdateOrderParams = {
  /** Of the order. */
  order_id: string
} & (UpdateOrderInput)

/** What `deleteOrder` takes. */
export type DeleteOrderParams = {
  /** Of the order. */
  order_id: string
}

/** What `toggleOrder` takes. */
export type ToggleOrderParams = {
  /** Of the order. */
  order_id: string
}

/** What `toggleOrderByPost` takes. */
export type ToggleOrderByPostParams = {
  /** Of the order. */
  order_id: string
}

/** What `listWebhookDeliveries` takes. */
export type ListWebhookDeliveriesParams = {
  /** Only those of this payment, refund, order, subscription or verification. */
  resource_id?: string
  /** Only those to this webhook endpoint. */
  endpoint_id?: string
  /** Only those that stand there. */
  state?: "pending" | "delivered" | "failed"
  /** 1 to 100, by default 20. */
  limit?: number
  /** The `next` of the page before. */
  after?: string
}

/** What `replayWebhookDelivery` takes. */
export type ReplayWebhookDeliveryParams = {
  /** Of the delivery. */
  id: string
}

/** What `sendTestWebhook` takes. */
export type SendTestWebhookParams = (SendTestWebhookInput)

/** What `prepareKyc` takes. */
export type PrepareKycParams = (PrepareKycInput)

/** What `sendEmailOtp` takes. */
export type SendEmailOtpParams = (SendEmailOtpInput)

/** What `verifyEmailOtp` takes. */
export type VerifyEmailOtpParams = (VerifyEmailOtpInput)

/** What `kycStatus` takes. */
export type KycStatusParams = {
  /** Their e-mail address. */
  email?: string
  /** Their wallet; one of the two is needed. */
  wallet?: string
}

/** What `createWalletChallenge` takes. */
export type CreateWalletChallengeParams = (CreateWalletChallengeInput)

/** What `prepareWalletKyc` takes. */
export type PrepareWalletKycParams = (PrepareWalletKycInput)

/** What `createKycSession` takes. */
export type CreateKycSessionParams = (CreateKycSessionInput)

/** What `yieldStrategies` takes. */
export type YieldStrategiesParams = Readonly<Record<string, never>>

/** What `yieldStrategiesOfToken` takes. */
export type YieldStrategiesOfTokenParams = {
  /** Only those of this token, in any case. */
  symbol: string
}

/** What `rebalanceOpportunities` takes. */
export type RebalanceOpportunitiesParams = {
  /** Only this token, in any case. */
  symbol?: string
}

/** What `rebalanceOpportunitiesOfToken` takes. */
export type RebalanceOpportunitiesOfTokenParams = {
  /** Only this token, in any case. */
  symbol: string
}

/** What `depositYield` takes. */
export type DepositYieldParams = (DepositYieldInput)

/** What `withdrawYield` takes. */
export type WithdrawYieldParams = (WithdrawYieldInput)

/** What `rebalanceYield` takes. */
export type RebalanceYieldParams = (RebalanceYieldInput)

/** What `broadcastYield` takes. */
export type BroadcastYieldParams = (BroadcastYieldInput)

/** What `yieldEarnings` takes. */
export type YieldEarningsParams = {
  /** The wallet. */
  wallet: string
  /** The token's symbol, or its mint. */
  asset: string
  /** The provider. */
  provider: "alpha_lend" | "beta" | "jupiter_lend" | "kamino"
  /** The chain, e.g. `solana`. */
  chain_name: string
}

/** What a webhook tells. */
export type WebhookEvent =
  | PaymentRegisteredEvent
  | PaymentPendingEvent
  | PaymentSuccessEvent
  | PaymentErrorEvent
  | PaymentReprovedEvent
  | PaymentDisputedEvent
  | RefundCreatedEvent
  | RefundSucceededEvent
  | RefundFailedEvent
  | OrderCreatedEvent
  | OrderUpdatedEvent
  | SubscriptionStartedEvent
  | SubscriptionPaymentRegisteredEvent
  | SubscriptionRenewedEvent
  | SubscriptionPaymentFailedEvent
  | SubscriptionPastDueEvent
  | SubscriptionChangedEvent
  | SubscriptionPausedEvent
  | SubscriptionResumedEvent
  | SubscriptionCanceledEvent
  | KycUpdatedEvent
