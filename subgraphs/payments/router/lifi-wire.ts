import { z } from 'zod'
import { protocolError } from '../../../kernel/provider-error.js'

/** The provider's name in errors and in the log. */
export const LIFI = 'lifi'

const text = z.string().min(1)
const optionalText = text.optional().catch(undefined)
const integer = z.int()
/** LI.FI writes amounts as decimal strings and the quantities of transactions as 0x-hex strings. */
const units = z
  .string()
  .regex(/^(0x[0-9a-f]{1,64}|\d{1,78})$/i)
  .transform(BigInt)
const token = z.object({ address: text }).transform(({ address }) => address)

/** A fee is of interest where it comes on top of `fromAmount`. */
const fee = z.union([
  z
    .object({ included: z.literal(false), token, amount: units })
    .transform(({ token: tokenAddress, amount }) => [{ tokenAddress, amount }]),
  z
    .unknown()
    .refine((given) => (given as { included?: unknown } | null)?.included !== false)
    .transform(() => []),
])

const offer = z.object({
  id: text,
  tool: text,
  action: z.object({
    fromChainId: integer,
    toChainId: integer,
    fromToken: token,
    toToken: token,
    fromAddress: text,
    toAddress: text,
  }),
  estimate: z.object({
    fromAmount: units,
    toAmount: units,
    toAmountMin: units,
    approvalAddress: optionalText,
    feeCosts: z
      .unknown()
      .transform((given) => (Array.isArray(given) ? (given as unknown[]) : []))
      .pipe(z.array(fee)),
  }),
})

const quote = offer.extend({
  transactionRequest: z.object({ chainId: integer, from: text, to: text, data: text, value: units, gasLimit: units }),
})

/** On Solana the transaction is one text, base64, and complete but for the payer's signature. */
const solanaQuote = offer.extend({ transactionRequest: z.object({ data: text }) })

const status = z.object({
  status: text,
  substatus: optionalText,
  receiving: z.object({ txHash: optionalText }).catch({ txHash: undefined }),
})

/** The fields of a LI.FI quote that we use (docs.li.fi, `Step`). Amounts are base units. */
export type LifiQuote = ReturnType<typeof readLifiQuote>

/** The fields of a LI.FI status that we use. */
export type LifiStatus = ReturnType<typeof readLifiStatus>

/** What an offer takes and gives, whatever the chain. */
export type LifiTerms = Omit<LifiQuote, 'transactionRequest'>

/** Reads a quote. Throws a ProviderError of kind protocol where a field is missing or of another form. */
export function readLifiQuote(body: unknown) {
  return termsOf(read(quote, body))
}

/** Reads a quote for a payer on Solana; see `readLifiQuote`. */
export function readLifiSolanaQuote(body: unknown) {
  return termsOf(read(solanaQuote, body))
}

function termsOf<Offer extends z.output<typeof offer>>({ action, estimate, ...rest }: Offer) {
  const { fromToken: fromTokenAddress, toToken: toTokenAddress, ...route } = action
  const { feeCosts, ...amounts } = estimate
  return {
    ...rest,
    action: { ...route, fromTokenAddress, toTokenAddress },
    /** `extraFees` come on top of `fromAmount`, in tokens of their own. */
    estimate: { ...amounts, extraFees: feeCosts.flat() },
  }
}

/** Reads a status. Throws a ProviderError of kind protocol where it has none. */
export function readLifiStatus(body: unknown) {
  const { receiving, ...rest } = read(status, body)
  return { ...rest, receivingTxHash: receiving.txHash }
}

function read<T>(schema: z.ZodType<T>, body: unknown): T {
  const { data, error } = schema.safeParse(body)
  if (!error) return data
  const field = error.issues[0]?.path.join('.') ?? ''
  const message = `no usable "${field}" in the answer`
  throw protocolError(LIFI, message)
}
