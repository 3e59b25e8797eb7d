import { GraphqlError } from '../graphql.js'
import type { Command } from './command.js'
import { openClient } from './credentials.js'
import { NotPossibleError, type CliEnv } from './io.js'

const PAYMENT = 'payment { id status receivedAmount } errors { code message path }'

const ACCEPT = `mutation AcceptUnderpayment($id: ID!) {
  payload: acceptUnderpayment(id: $id) { ${PAYMENT} }
}`

const GIVE_BACK = `mutation GiveBackUnderpayment($input: GiveBackUnderpaymentInput!) {
  payload: giveBackUnderpayment(input: $input) { ${PAYMENT} }
}`

interface Answer {
  payload: {
    payment: { id: string; status: string; receivedAmount: string } | null
    errors: readonly { code: string; message: string; path: readonly string[] | null }[]
  } | null
}

/** Takes what came to the address of an underpaid payment for the whole. */
export const acceptUnderpaid: Command = {
  usage: 'accept ID',
  summary: 'Takes what came to the address of an underpaid payment for the whole.',
  run: async ({ words: [id = ''] }, { env }, print) => {
    const payment = await changed(env, ACCEPT, { id })
    print(payment, [`Payment ${payment.id} is accepted with ${payment.receivedAmount}.`])
  },
}

/** Gives back what came to the address of an underpaid payment. */
export const giveBackUnderpaid: Command = {
  usage: 'give back ID WALLET',
  summary: 'Gives what came to the address of an underpaid payment back, to a wallet of its payer.',
  run: async ({ words: [paymentId = '', wallet = ''] }, { env }, print) => {
    const payment = await changed(env, GIVE_BACK, { input: { paymentId, wallet } })
    print(payment, [`Of payment ${payment.id}, ${payment.receivedAmount} go back to ${wallet}.`])
  },
}

/** Runs the mutation. @throws NotPossibleError with the service's own words where it was refused */
async function changed(env: CliEnv, document: string, variables: object) {
  const { payload } = await (await openClient(env)).graphql<Answer>(document, variables).catch((error: unknown) => {
    if (!(error instanceof GraphqlError)) throw error
    const [first] = error.errors
    throw new NotPossibleError(`${first?.code?.toLowerCase() ?? 'error'}: ${error.message}`, { cause: error })
  })
  const [refusal] = payload?.errors ?? []
  if (refusal) throw new NotPossibleError(`${refusal.code.toLowerCase()}: ${refusal.message}`)
  if (!payload?.payment) throw new NotPossibleError('The service has not said what became of the payment.')
  return payload.payment
}
