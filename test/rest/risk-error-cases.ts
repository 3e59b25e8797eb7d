import { runLedger } from '../../subgraphs/payments/fixtures/run-ledger.js'
import type { Harness } from '../harness/harness.js'
import { approve, proveEmail } from '../harness/rest-kyc.js'
import { CREATE_TRANSACTION, transactionBody } from '../harness/rest-payments.js'
import type { Cases } from '../harness/route-errors.js'

const NAME = `POST ${CREATE_TRANSACTION}`

/** With what provokes the refusals that operators set. */
export function withRiskCases(
  harness: Harness,
  cases: Readonly<Record<string, Cases>>,
): Readonly<Record<string, Cases>> {
  const risk: Cases = {
    wallet_refused: async () => {
      const payer = await harness.chain.newPayer()
      harness.wallets.refuse(payer.address)
      const body = transactionBody(await harness.tenant.register(), payer.address)
      return harness.tenant.post(CREATE_TRANSACTION, body)
    },
    payer_document_mismatch: async () => {
      const careful = await harness.dashboard.newTenant()
      await runLedger(harness, 'payer-document', '--tenant', careful.id, '--mode', 'compare')
      const email = await proveEmail(harness, careful)
      await approve(harness, careful, { email }, { document: '11144477735' })
      const id = await careful.register({ payment_method_allowed: { pixcrypto: true } })
      const payer = { payer_email: email, payer_cpf: '529.982.247-25' }
      const body = { payment_id: id, transaction_type: 'pixcrypto', ...payer }
      return harness.rest('POST', CREATE_TRANSACTION, { as: careful, body })
    },
    payment_limit_exceeded: async () => {
      const bound = await harness.dashboard.newTenant()
      const args = ['limits', '--tenant', bound.id, '--currency', 'BRL', '--per-payment', '0.01']
      await runLedger(harness, ...args)
      const payer = await harness.chain.newPayer()
      const body = transactionBody(await bound.register(), payer.address)
      return harness.rest('POST', CREATE_TRANSACTION, { as: bound, body })
    },
  }
  return { ...cases, [NAME]: { ...cases[NAME], ...risk } }
}
