import { prepareOperation } from '../gateway/operation.js'
import { payloadFailure, type PayloadError } from '../gateway/payload-failure.js'
import type { FieldFailure } from '../kernel/errors.js'
import type { RequestContext } from '../kernel/subgraph.js'
import type { Coded } from './action-answer.js'
import type { CheckoutDeps, OpenPage } from './deps.js'
import { loadDocument } from './read-payment.js'

/** The graph shows no client which rules a form breaks; its subgraph is asked itself. */
const { document: FORM } = prepareOperation(
  `query FormFailures($input: JSON!) {
    failures: paymentsInputFailures(operation: "create-transaction", input: $input) { field message }
  }`,
)

/** What stands in the way of another way to pay; undefined where nothing does. */
type LeaveWallet = (page: OpenPage, input: object, requestId: string) => Promise<Coded | undefined>

/**
 * Ends the attempt of a wallet that has paid nothing, for another way to pay, where the payment waits for one. A form that would be
 * refused ends nothing: its payer would mend it, or go on with his wallet.
 */
export function walletLeaver({ supergraph, payments }: CheckoutDeps): LeaveWallet {
  const endWallet = loadDocument(supergraph, 'end-wallet-attempt')
  return async ({ link, payment, merchant }, input, requestId) => {
    if (!isWalletAsked(payment)) return undefined
    const { products } = merchant
    const context: RequestContext = { requestId, caller: { tenantId: link.tenantId, keyId: 'payment-page', products } }
    const form = await payments({ document: FORM, variables: { input }, context })
    const [untold] = form.errors ?? []
    if (untold) return untold.extensions as Coded
    const errors = (form.data?.['failures'] ?? []) as FieldFailure[]
    if (errors.length > 0) return { code: 'validation_error', errors }
    const ended = await supergraph.execute(endWallet, { id: link.paymentId }, context)
    const payload = ended.data?.['payload'] as { errors: readonly PayloadError[] } | null | undefined
    const failure = (ended.errors?.[0]?.extensions as Coded | undefined) ?? payloadFailure(payload?.errors ?? [])
    return failure ?? (payload ? undefined : { code: 'server_error' })
  }
}

/** The API lets nobody change the way to pay while a wallet is asked; a payer may, as long as the wallet has paid nothing. */
function isWalletAsked({ status, transactionType }: OpenPage['payment']): boolean {
  return status === 'PENDING' && transactionType === 'CRYPTO'
}
