import { ProviderError } from '../../../kernel/provider-error.js'

/** The provider's name in errors and in the log. */
export const LIFI = 'lifi'

/** The fields of a LI.FI quote that we use (docs.li.fi, `Step`). Amounts are base units. */
export interface LifiQuote {
  id: string
  tool: string
  action: {
    fromChainId: number
    toChainId: number
    fromTokenAddress: string
    toTokenAddress: string
    fromAddress: string
    toAddress: string
  }
  estimate: {
    fromAmount: bigint
    toAmount: bigint
    toAmountMin: bigint
    approvalAddress: string | undefined
    /** Fees in this token that come on top of `fromAmount`. */
    extraFees: { tokenAddress: string; amount: bigint }[]
  }
  transactionRequest: { chainId: number; from: string; to: string; data: string; value: bigint; gasLimit: bigint }
}

/** The fields of a LI.FI status that we use. */
export interface LifiStatus {
  status: string
  substatus: string | undefined
  receivingTxHash: string | undefined
}

/** Reads a quote. Throws a ProviderError of kind protocol where a field is missing or of another form. */
export function readLifiQuote(body: unknown): LifiQuote {
  const action = field(body, 'action')
  const estimate = field(body, 'estimate')
  const transaction = field(body, 'transactionRequest')
  return {
    id: text(body, 'id'),
    tool: text(body, 'tool'),
    action: {
      fromChainId: integer(action, 'fromChainId'),
      toChainId: integer(action, 'toChainId'),
      fromTokenAddress: text(field(action, 'fromToken'), 'address'),
      toTokenAddress: text(field(action, 'toToken'), 'address'),
      fromAddress: text(action, 'fromAddress'),
      toAddress: text(action, 'toAddress'),
    },
    estimate: {
      fromAmount: units(estimate, 'fromAmount'),
      toAmount: units(estimate, 'toAmount'),
      toAmountMin: units(estimate, 'toAmountMin'),
      approvalAddress: optionalText(estimate, 'approvalAddress'),
      extraFees: readExtraFees(field(estimate, 'feeCosts')),
    },
    transactionRequest: {
      chainId: integer(transaction, 'chainId'),
      from: text(transaction, 'from'),
      to: text(transaction, 'to'),
      data: text(transaction, 'data'),
      value: units(transaction, 'value'),
      gasLimit: units(transaction, 'gasLimit'),
    },
  }
}

/** Reads a status. Throws a ProviderError of kind protocol where it has none. */
export function readLifiStatus(body: unknown): LifiStatus {
  const receiving = field(body, 'receiving')
  return {
    status: text(body, 'status'),
    substatus: optionalText(body, 'substatus'),
    receivingTxHash: optionalText(receiving, 'txHash'),
  }
}

function readExtraFees(feeCosts: unknown): LifiQuote['estimate']['extraFees'] {
  if (!Array.isArray(feeCosts)) return []
  return feeCosts
    .filter((fee: unknown) => field(fee, 'included') === false)
    .map((fee: unknown) => ({ tokenAddress: text(field(fee, 'token'), 'address'), amount: units(fee, 'amount') }))
}

function field(object: unknown, name: string): unknown {
  return typeof object === 'object' && object !== null ? (object as Record<string, unknown>)[name] : undefined
}

function malformed(name: string): ProviderError {
  return new ProviderError({
    provider: LIFI,
    kind: 'protocol',
    retryable: false,
    message: `no usable "${name}" in the answer`,
  })
}

function optionalText(object: unknown, name: string): string | undefined {
  const value = field(object, name)
  return typeof value === 'string' && value !== '' ? value : undefined
}

function text(object: unknown, name: string): string {
  const value = optionalText(object, name)
  if (value === undefined) throw malformed(name)
  return value
}

function integer(object: unknown, name: string): number {
  const value = field(object, name)
  if (typeof value !== 'number' || !Number.isSafeInteger(value)) throw malformed(name)
  return value
}

/** LI.FI writes amounts as decimal strings and the quantities of transactions as 0x-hex strings. */
function units(object: unknown, name: string): bigint {
  const value = text(object, name)
  if (!/^(0x[0-9a-f]{1,64}|\d{1,78})$/i.test(value)) throw malformed(name)
  return BigInt(value)
}
