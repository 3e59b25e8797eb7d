import { createClient } from '../client.js'
import { textOption, type Command } from './command.js'
import { UsageError } from './io.js'
import { readSandbox } from './sandbox-file.js'
import type { TriggerWorld } from './trigger-world.js'
import { CARDS, disputed, paidByCard, paidByPix, pendingPix, registered, canceledPix } from './trigger-payments.js'

/** Nobody listens there: the log has the event, `payments listen` forwards it. */
const NOWHERE = 'http://127.0.0.1:9/'

/** What makes each event happen. Gives the id of the resource. */
const EVENTS: Readonly<Record<string, (world: TriggerWorld) => Promise<string>>> = {
  'payment.registered': registered,
  'payment.pending': async (world) => (await pendingPix(world)).id,
  'payment.success': paidByPix,
  'payment.error': canceledPix,
  'payment.reproved': (world) => paidByCard(world, CARDS.refused, 'reproved'),
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
  run: async (args, _io, print) => {
    const [event = ''] = args.words
    const make = Object.hasOwn(EVENTS, event) ? EVENTS[event] : undefined
    if (!make) throw new UsageError(`"${event}" cannot be triggered. There are: ${Object.keys(EVENTS).join(', ')}.`)
    const sandbox = await readSandbox(textOption(args, 'sandbox'))
    const client = createClient({ baseUrl: sandbox.rest_url, apiKey: sandbox.api_key })
    const id = await make({ client, sandbox, webhookUrl: textOption(args, 'webhook-url') ?? NOWHERE })
    print({ event, id }, [`${event} happened to ${id}.`])
  },
}

async function refunded(world: TriggerWorld): Promise<string> {
  const id = await paidByCard(world, CARDS.paid, 'success')
  return (await world.client.refundPayment({ id, amount: '10', reason: 'requested_by_customer' })).data.refund_id
}

async function createOrder({ client, sandbox, webhookUrl }: TriggerWorld): Promise<string> {
  const { data } = await client.createOrder({
    executor_id: 'api_transaction',
    from_currency_symbol: 'BRL',
    amount_from: '100',
    to_currency_symbol: 'USDT',
    to_chain: 'polygon',
    on_ramp: false,
    gateway_method: 'direct',
    tenant_data: { public_client_id: sandbox.public_client_id, webhook_url: webhookUrl },
  })
  // An account has 20 orders at most: one that was shown is not needed any more.
  await client.deleteOrder({ order_id: data.order_id })
  return data.order_id
}
