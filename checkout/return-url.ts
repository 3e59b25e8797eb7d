import { parse } from 'graphql'
import { askPeer } from '../kernel/peer.js'
import type { RequestContext, SubgraphExecutor } from '../kernel/subgraph.js'
import type { PageView } from './page/view.js'
import type { ReadPayment } from './read-payment.js'

const SIGN = parse('query SignReturn($input: PaymentReturnInput!) { signedReturn(input: $input) }')

/**
 * Signs the way back to the shop, once the money is there: `success_url` with the payment's id, where it stands and since
 * when, and a signature with the secret of the payment's webhooks. The same state gives the same address.
 */
export function returnSigner(
  accounts: SubgraphExecutor,
): (page: { payment: ReadPayment; view: PageView }, context: RequestContext) => Promise<PageView> {
  return async ({ payment, view }, context) => {
    if (view.receipt === null || payment.successUrl === null) return view
    const publicClientId = payment.tenantData?.publicClientId ?? null
    const input = { publicClientId, paymentId: payment.id, status: view.status, at: payment.updatedAt }
    const { signedReturn } = await askPeer<{ signedReturn: string }>(accounts, SIGN, { input }, context)
    return { ...view, returnUrl: withQuery(payment.successUrl, signedReturn) }
  }
}

/** An address with more in its query; what it had stays as it was written. */
function withQuery(address: string, query: string): string {
  const [before = '', ...hash] = address.split('#')
  const joined = `${before}${before.includes('?') ? '&' : '?'}${query}`
  return [joined, ...hash].join('#')
}
