import { usdtOf, type DemoChain } from './balances.js'
import { expect, type Demo, type DemoContext } from './demo.js'
import { verifyEmail } from './kyc.js'
import { PAYER_EMAIL, registerFromOrder, registerPayment } from './orders.js'
import { showReceived } from './received.js'

/** A person scans a QR code and the receiver gets USDT; and the same without an order, which asks for a verified payer. */
export const pixDemos: readonly Demo[] = [
  { title: 'Pix pays an order, the receiver gets USDT on polygon', run: (context) => payOrder(context, 'polygon') },
  { title: 'Pix pays an order, the receiver gets USDT on solana', run: (context) => payOrder(context, 'solana') },
  { title: 'Pix pays without an order, once the payer is verified', run: payVerified },
]

async function payOrder(context: DemoContext, chain: DemoChain): Promise<void> {
  const paymentId = await registerFromOrder(context, `Pix demo (${chain})`, terms(context, chain))
  await pay(context, paymentId, { chain, email: PAYER_EMAIL })
}

async function payVerified(context: DemoContext): Promise<void> {
  const { say } = context
  const email = `pix-${Date.now()}@example.com`
  const paymentId = await registerPayment(context, terms(context, 'polygon'))
  const refusal = await createCharge(context, paymentId, email).then(
    () => undefined,
    (error: unknown) => String(error),
  )
  expect(refusal?.includes('kyc_verification_required') === true, 'a payer who is not verified was not refused')
  say('refused          kyc_verification_required')
  await verifyEmail(context, email)
  await pay(context, paymentId, { chain: 'polygon', email })
}

function terms({ sandbox }: DemoContext, chain: DemoChain): object {
  const receiver = chain === 'polygon' ? sandbox.receivers.evm[0] : sandbox.receivers.solana[0]
  return {
    to_chain: chain,
    payment_method_allowed: { pixcrypto: true },
    split_payment_config: [{ receiver_wallet: receiver, receiver_percent: 100 }],
  }
}

function createCharge({ call }: DemoContext, paymentId: string, email: string): Promise<Record<string, unknown>> {
  return call('POST', '/payment/register/intents-create-transaction', {
    payment_id: paymentId,
    transaction_type: 'pixcrypto',
    payer_email: email,
    payer_cpf: '529.982.247-25',
  })
}

/** Shows the charge, lets the payer's bank pay it, and follows the money to the receiver. */
async function pay(
  context: DemoContext,
  paymentId: string,
  { chain, email }: { chain: DemoChain; email: string },
): Promise<void> {
  const { sandbox, call, webhooks, say } = context
  const receiver = chain === 'polygon' ? sandbox.receivers.evm[0] : sandbox.receivers.solana[0]
  const before = await usdtOf(sandbox, chain, receiver)
  say(`registered       ${paymentId}  100 BRL`)
  const created = await createCharge(context, paymentId, email)
  const charge = created['fiat_tx'] as { txid: string; pixCopiaECola: string; calendar: { expiracao: number } }
  say(`to be scanned    ${charge.pixCopiaECola.slice(0, 60)}… for ${charge.calendar.expiracao} s`)
  const paid = await fetch(`${sandbox.pix_url}/sandbox/cob/${charge.txid}/pay`, { method: 'POST' })
  expect(paid.ok, `the simulated bank answered ${paid.status}`)
  const events = await webhooks.untilEvent(paymentId, 'payment.success')
  say(`signed webhooks  ${events.map(({ type }) => type).join(' → ')}`)
  const status = await call('GET', `/payment/${paymentId}/status`)
  showReceived(say, { receiver, units: (await usdtOf(sandbox, chain, receiver)) - before }, status)
  say(`on the chain     ${String(status['tid_hash'])}`)
}
