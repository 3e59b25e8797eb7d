import { GraphqlError } from '../graphql.js'
import type { Arguments, Command } from './command.js'
import type { CliIo } from './io.js'
import { change, KEY_OPTION } from './unknown-outcome.js'

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
  ...KEY_OPTION,
  run: async (args, io, print) => {
    const [id = ''] = args.words
    const payment = await changed(args, io, ACCEPT, { id })
    print(payment, [`Payment ${payment.id} is accepted with ${payment.receivedAmount}.`])
  },
}

/** Gives back what came to the address of an underpaid payment. */
export const giveBackUnderpaid: Command = {
  usage: 'give back ID WALLET',
  summary: 'Gives what came to the address of an underpaid payment back, to a wallet of its payer.',
  ...KEY_OPTION,
  run: async (args, io, print) => {
    const [paymentId = '', wallet = ''] = args.words
    const payment = await changed(args, io, GIVE_BACK, { input: { paymentId, wallet } })
    print(payment, [`Of payment ${payment.id}, ${payment.receivedAmount} go back to ${wallet}.`])
  },
}

/** Runs the mutation. @throws GraphqlError with the service's own words where it was refused */
async function changed(args: Arguments, io: CliIo, document: string, variables: object) {
  return change(args, io, async (client, options) => {
    const { payload } = await client.graphql<Answer>(document, variables, options)
    const { payment = null, errors = [] } = payload ?? {}
    if (payment && errors.length === 0) return payment
    const unsaid = { message: 'The service has not said what became of the payment.', code: undefined, path: [] }
    const failures = errors.map(({ code, message, path }) => ({ code, message, path: path ?? [] }))
    throw new GraphqlError(failures.length === 0 ? [unsaid] : failures, payload)
  })
}
