import { ledgerCli } from '../../subgraphs/payments/cli/ledger-cli.js'
import type { Harness } from '../harness/harness.js'
import { CREATE_TRANSACTION, register, transactionBody } from '../harness/rest-payments.js'
import type { Cases } from './error-cases.js'

const NAME = `POST ${CREATE_TRANSACTION}`

/** With what provokes the refusals that operators set. */
export function withRiskCases(
  harness: Harness,
  cases: Readonly<Record<string, Cases>>,
): Readonly<Record<string, Cases>> {
  const output = { out: () => undefined, err: () => undefined }
  const env = { databaseUrl: harness.databaseUrl, dataDir: 'nowhere' }
  const risk: Cases = {
    wallet_refused: async () => {
      const payer = await harness.chain.newPayer()
      harness.wallets.refuse(payer.address)
      const body = transactionBody(await register(harness, harness.tenant), payer.address)
      return harness.rest('POST', CREATE_TRANSACTION, { as: harness.tenant, body })
    },
    payment_limit_exceeded: async () => {
      const bound = await harness.dashboard.newTenant()
      const args = ['limits', '--tenant', bound.id, '--currency', 'BRL', '--per-payment', '0.01']
      await ledgerCli(args, output, env)
      const payer = await harness.chain.newPayer()
      const body = transactionBody(await register(harness, bound), payer.address)
      return harness.rest('POST', CREATE_TRANSACTION, { as: bound, body })
    },
  }
  return { ...cases, [NAME]: { ...cases[NAME], ...risk } }
}
