import { eachPayment } from '../pages.js'
import type { ListPaymentsParams, RefundPaymentParams } from '../generated/types.js'
import { numberOption, textOption, type Command } from './command.js'
import { openClient } from './credentials.js'
import { change, KEY_OPTION } from './unknown-outcome.js'

const SHOWN = 20

/** Lists payments. */
export const listPayments: Command = {
  usage: 'list',
  summary: 'Lists payments, newest first.',
  options: {
    limit: { type: 'string' },
    status: { type: 'string' },
    order: { type: 'string' },
    search: { type: 'string' },
  },
  run: async (args, { env }, print) => {
    const limit = numberOption(args, 'limit', 1, 1000) ?? SHOWN
    const filter: ListPaymentsParams = {
      limit: Math.min(limit, 100),
      ...definedOf({
        // The service says which words there are.
        status: textOption(args, 'status') as ListPaymentsParams['status'],
        order_code: textOption(args, 'order'),
        search: textOption(args, 'search'),
      }),
    }
    const payments = []
    for await (const payment of eachPayment(await openClient(env), filter)) {
      payments.push(payment)
      if (payments.length === limit) break
    }
    print(
      payments,
      payments.length === 0
        ? ['There are no payments.']
        : payments.map(
            ({
              id,
              status,
              transaction_type: type,
              amount_from: amount,
              from_currency_symbol: currency,
              created_at: at,
            }) => [id, status.padEnd(10), (type ?? '–').padEnd(10), `${amount} ${currency}`.padEnd(14), at].join('  '),
          ),
    )
  },
}

/** Shows one payment. */
export const showPayment: Command = {
  usage: 'show ID',
  summary: 'Shows a payment with all its fields.',
  run: async ({ words: [id = ''] }, { env }, print) => {
    const { data } = await (await openClient(env)).paymentStatus({ id })
    print(
      data,
      Object.entries(data).map(([name, value]) => `${name.padEnd(22)} ${textOf(value)}`),
    )
  },
}

/** Refunds a payment. */
export const refundPayment: Command = {
  usage: 'refund ID',
  summary: 'Refunds a payment, whole or in part (--amount, in its fiat currency).',
  options: { amount: { type: 'string' }, reason: { type: 'string' }, ...KEY_OPTION.options },
  optionHelp: KEY_OPTION.optionHelp,
  run: async (args, io, print) => {
    const [id = ''] = args.words
    const params: RefundPaymentParams = {
      id,
      ...definedOf({
        amount: textOption(args, 'amount'),
        reason: textOption(args, 'reason') as RefundPaymentParams['reason'],
      }),
    }
    const { data } = await change(args, io, (client, options) => client.refundPayment(params, options))
    print(data, [`Refund ${data.refund_id} of ${data.amount} ${data.currency} is ${data.status}.`])
  },
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}

/** An object without the fields that are undefined. */
function definedOf<Fields extends object>(
  fields: Fields,
): { [Name in keyof Fields]?: Exclude<Fields[Name], undefined> } {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as never
}
