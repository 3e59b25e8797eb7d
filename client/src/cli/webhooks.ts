import { eachWebhookDelivery } from '../pages.js'
import { numberOption, type Command } from './command.js'
import { openClient } from './credentials.js'
import { change, KEY_OPTION } from './unknown-outcome.js'

const SHOWN = 20

/** Lists webhook deliveries. */
export const listWebhooks: Command = {
  usage: 'webhooks list',
  summary: 'Lists webhook deliveries with what came of them, newest first.',
  options: { limit: { type: 'string' } },
  run: async (args, { env }, print) => {
    const limit = numberOption(args, 'limit', 1, 1000) ?? SHOWN
    const deliveries = []
    for await (const delivery of eachWebhookDelivery(await openClient(env), { limit: Math.min(limit, 100) })) {
      deliveries.push(delivery)
      if (deliveries.length === limit) break
    }
    print(
      deliveries,
      deliveries.length === 0
        ? ['There are no deliveries.']
        : deliveries.map(({ id, type, state, attempts, url }) =>
            [id, type.padEnd(20), state.padEnd(10), `${attempts.length} tries`, url].join('  '),
          ),
    )
  },
}

/** Sends a delivery again. */
export const replayWebhook: Command = {
  usage: 'webhooks replay ID',
  summary: 'Sends a webhook delivery again, now, under the same id.',
  ...KEY_OPTION,
  run: async (args, io, print) => {
    const [id = ''] = args.words
    const { data } = await change(args, io, (client, options) => client.replayWebhookDelivery({ id }, options))
    print(data, [`${data.type} is sent to ${data.url} again.`])
  },
}
