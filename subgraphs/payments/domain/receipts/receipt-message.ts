import { html } from '../../../../kernel/html.js'
import { compare } from '../../../../kernel/money.js'
import type { MailMessage } from '../../../../kernel/mailer.js'
import { moneyBackOf, type MoneyBack } from '../../../../terms/money-back.js'
import { settledOf } from '../../model/settled.js'
import type { Charge } from '../../store/charge.entity.js'
import type { Payment } from '../../store/payment.entity.js'
import type { ReceiptLanguage } from './email-receipt.js'

interface Words {
  locale: string
  subject: (shop: string) => string
  paid: string
  /** In its place, where all went back. */
  wentBack: string
  refunded: string
  takenBack: string
  to: string
  amount: string
  /** What was charged, where that is another sum than the amount. */
  charged: string
  /** What came to the payment's address, of what was asked for there. */
  came: (came: string, asked: string) => readonly [string, string]
  method: string
  at: string
  hash: string
  reference: string
  page: string
  methods: Readonly<Record<'pix' | 'card' | 'crypto', string>>
}

const WORDS: Readonly<Record<ReceiptLanguage, Words>> = {
  pt: {
    locale: 'pt-BR',
    subject: (shop) => (shop === '' ? 'Comprovante do seu pagamento' : `Comprovante do seu pagamento para ${shop}`),
    paid: 'O seu pagamento foi concluído.',
    wentBack: 'O dinheiro do seu pagamento voltou para você.',
    refunded: 'Reembolsado',
    takenBack: 'Tomado de volta pelo seu banco',
    to: 'Para',
    amount: 'Valor',
    charged: 'Cobrado',
    came: (came, asked) => ['Recebido', `${came} de ${asked}. A loja aceitou esse valor como o total.`],
    method: 'Pago com',
    at: 'Data',
    hash: 'Transação',
    reference: 'Referência',
    page: 'Página do pagamento',
    methods: { pix: 'Pix', card: 'Cartão', crypto: 'Cripto' },
  },
  en: {
    locale: 'en-GB',
    subject: (shop) => (shop === '' ? 'Receipt of your payment' : `Receipt of your payment to ${shop}`),
    paid: 'Your payment is complete.',
    wentBack: 'The money of your payment went back to you.',
    refunded: 'Refunded',
    takenBack: 'Taken back by your bank',
    to: 'To',
    amount: 'Amount',
    charged: 'Charged',
    came: (came, asked) => ['Arrived', `${came} of ${asked}. The shop accepted that as the whole.`],
    method: 'Paid by',
    at: 'Date',
    hash: 'Transaction',
    reference: 'Reference',
    page: 'Page of the payment',
    methods: { pix: 'Pix', card: 'Card', crypto: 'Crypto' },
  },
  es: {
    locale: 'es-419',
    subject: (shop) => (shop === '' ? 'Recibo de su pago' : `Recibo de su pago a ${shop}`),
    paid: 'Su pago se completó.',
    wentBack: 'El dinero de su pago volvió a usted.',
    refunded: 'Reembolsado',
    takenBack: 'Recuperado por su banco',
    to: 'Para',
    amount: 'Importe',
    charged: 'Cobrado',
    came: (came, asked) => ['Recibido', `${came} de ${asked}. La tienda aceptó ese importe como el total.`],
    method: 'Pagado con',
    at: 'Fecha',
    hash: 'Transacción',
    reference: 'Referencia',
    page: 'Página del pago',
    methods: { pix: 'Pix', card: 'Tarjeta', crypto: 'Cripto' },
  },
}

/** What a receipt tells besides the payment. */
interface ReceiptContext {
  shop: string
  /** The payment's page. */
  page: string
  at: Date
  /** What a provider has charged the payer. */
  charge: Money | undefined
}

/** A decimal string in a currency. */
type Money = Pick<Charge, 'amount' | 'currency'>

/** The e-mail with a payment's receipt: nothing of the payer is in it, and nothing that opens anything but this payment. */
export function receiptMessage(
  payment: Payment,
  language: ReceiptLanguage,
  { shop, page, at, charge }: ReceiptContext,
): Omit<MailMessage, 'to'> {
  const words = WORDS[language]
  const { locale, methods } = words
  const price = { amount: payment.amountFrom, currency: payment.fromCurrencySymbol }
  // Of a payment in fiat the hash is the payout's, which is none of the payer's business.
  const hash = payment.transactionType === 'crypto' ? payment.tidHash : null
  const back = moneyBackOf({ ...payment, refundedAmount: payment.refundedAmount ?? '0', charged: charge?.amount })
  const about = back.isWhole ? words.wentBack : words.paid
  const rows: readonly (readonly [string, string])[] = [
    ...(shop === '' ? [] : [[words.to, shop] as const]),
    [words.amount, moneyText(price, locale)],
    ...(charge && !isSame(charge, price) ? [[words.charged, moneyText(charge, locale)] as const] : []),
    ...cameLess(payment, words),
    ...wentBack(back, charge, words),
    [words.method, methods[methodOf(payment)]],
    [
      words.at,
      `${new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'short', timeZone: 'UTC' }).format(at)} UTC`,
    ],
    ...(hash ? [[words.hash, hash] as const] : []),
    [words.reference, payment.id],
  ]
  const subject = words.subject(shop).replace(/[\r\n]+/g, ' ')
  return {
    subject,
    text: `${about}\n\n${rows.map(([name, value]) => `${name}: ${value}`).join('\n')}\n\n${words.page}: ${page}\n`,
    html: html`<p>${about}</p>
      <table>
        ${rows.map(
          ([name, value]) =>
            html`<tr>
              <td>${name}</td>
              <td><strong>${value}</strong></td>
            </tr>`,
        )}
      </table>
      <p><a href="${page}">${words.page}</a></p>`.text,
  }
}

function moneyText({ amount, currency }: Money, locale: string): string {
  return new Intl.NumberFormat(locale, { style: 'currency', currency }).format(amount as Intl.StringNumericLiteral)
}

const isSame = (one: Money, other: Money): boolean =>
  one.currency === other.currency && compare(one.amount, other.amount) === 0

/** Of a payment whose shop took less than the price for the whole: what came. Nobody may read that he paid all of it. */
function cameLess(payment: Payment, { locale, came }: Words): readonly (readonly [string, string])[] {
  const { amountTo, toCurrencySymbol } = payment
  const settled = settledOf(payment)
  if (!settled || amountTo == null || compare(settled.amount, amountTo) >= 0) return []
  const { format } = new Intl.NumberFormat(locale, { maximumFractionDigits: 20 })
  const [less, asked] = [settled.amount, amountTo].map((amount) => format(amount as Intl.StringNumericLiteral))
  return [came(less ?? '', `${asked} ${toCurrencySymbol}`)]
}

function wentBack(
  { refunded, takenBack }: MoneyBack,
  charge: Money | undefined,
  words: Words,
): readonly (readonly [string, string])[] {
  const text = (amount: string): string =>
    charge ? moneyText({ amount, currency: charge.currency }, words.locale) : amount
  return [
    ...(refunded === null ? [] : [[words.refunded, text(refunded)] as const]),
    ...(takenBack === null ? [] : [[words.takenBack, text(takenBack)] as const]),
  ]
}

function methodOf({ transactionType }: Payment): 'pix' | 'card' | 'crypto' {
  if (transactionType === 'crypto') return 'crypto'
  return transactionType?.startsWith('card') ? 'card' : 'pix'
}
