import { createClient, type PaymentsClient } from '../client.js'
import { OrderLimitReachedError } from '../generated/errors.js'
import { textOption, type Command } from './command.js'
import { NotPossibleError, UsageError } from './io.js'
import { readSandbox, type SandboxFile } from './sandbox-file.js'
import {
  CARDS,
  disputed,
  paidByCard,
  paidByPix,
  pendingPix,
  registered,
  canceledPix,
  TERMS,
  type TriggerContext,
} from './trigger-payments.js'

/** Nobody listens there: the log has the event, `payments listen` forwards it. */
const NOWHERE = 'http://127.0.0.1:9/'

const ADDRESSES = 'query Addresses { account { integrations { publicClientId webhookUrl } } }'

interface Addresses {
  account: { integrations: readonly { publicClientId: string; webhookUrl: string | null }[] } | null
}

/** What makes each event happen. Gives the id of the resource. */
const EVENTS: Readonly<Record<string, (context: TriggerContext) => Promise<string>>> = {
  'payment.registered': registered,
  'payment.pending': async (context) => (await pendingPix(context)).id,
  'payment.success': paidByPix,
  'payment.error': canceledPix,
  'payment.reproved': (context) => paidByCard(context, CARDS.refused, 'reproved'),
  'payment.disputed': disputed,
  'refund.created': refunded,
  'refund.succeeded': refunded,
  // Deleting it changes it too.
  'order.created': createOrder,
  'order.updated': createOrder,
}

/** Makes an event by doing in the sandbox what leads to it. */
export const trigger: Command = {
  usage: 'trigger EVENT',
  summary: `Makes an event happen in a sandbox, really: ${Object.keys(EVENTS).join(', ')}.`,
  options: { sandbox: { type: 'string' }, 'webhook-url': { type: 'string' } },
  optionHelp: {
    sandbox: 'the sandbox.json of a sandbox that runs; .data/sandbox.json if left out',
    'webhook-url': "where its events go; the address of the sandbox's integration if left out, or nowhere",
  },
  run: async (args, _io, print) => {
    const [event = ''] = args.words
    const make = Object.hasOwn(EVENTS, event) ? EVENTS[event] : undefined
    if (!make) throw new UsageError(`"${event}" cannot be triggered. There are: ${Object.keys(EVENTS).join(', ')}.`)
    const sandbox = await readSandbox(textOption(args, 'sandbox'))
    const client = createClient({ baseUrl: sandbox.rest_url, apiKey: sandbox.api_key })
    const webhookUrl = textOption(args, 'webhook-url') ?? (await ownAddress(client, sandbox)) ?? NOWHERE
    const id = await make({ client, sandbox, webhookUrl })
    print({ event, id }, [`${event} happened to ${id}.`])
  },
}

/** Where the integration's events go when a payment or an order names no address; nothing where it has none. */
async function ownAddress(client: PaymentsClient, sandbox: SandboxFile): Promise<string | null | undefined> {
  const { account } = await client.graphql<Addresses>(ADDRESSES)
  return account?.integrations.find(({ publicClientId }) => publicClientId === sandbox.public_client_id)?.webhookUrl
}

async function refunded(context: TriggerContext): Promise<string> {
  const id = await paidByCard(context, CARDS.paid, 'success')
  return (await context.client.refundPayment({ id, amount: '10', reason: 'requested_by_customer' })).data.refund_id
}

async function createOrder({ client, sandbox, webhookUrl }: TriggerContext): Promise<string> {
  const order: Parameters<PaymentsClient['createOrder']>[0] = {
    ...TERMS,
    tenant_data: { public_client_id: sandbox.public_client_id, webhook_url: webhookUrl },
  }
  const { data } = await client.createOrder(order).catch((cause: unknown) => {
    if (!(cause instanceof OrderLimitReachedError)) throw cause
    const advice = 'Delete one that is not used any more: GET /order/list shows them, DELETE /order/{order_id} deletes.'
    throw new NotPossibleError(`${cause.code}: ${cause.message} ${advice}`, { cause })
  })
  // An account has 20 orders at most: one that was shown is not needed any more.
  await client.deleteOrder({ order_id: data.order_id })
  return data.order_id
}
