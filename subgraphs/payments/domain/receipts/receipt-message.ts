import { html } from '../../../../kernel/html.js'
import { compare } from '../../../../kernel/money.js'
import type { MailMessage } from '../../../../kernel/mailer.js'
import { moneyBackOf, type MoneyBack } from '../../../../terms/money-back.js'
import type { SubscriptionInterval } from '../../model/subscription.js'
import { settledOf } from '../../model/settled.js'
import type { Charge } from '../../store/charge.entity.js'
import type { Payment } from '../../store/payment.entity.js'
import type { SubscriptionTerms } from '../../model/subscription-terms.js'
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
  /** The plan, its price, and how the next periods are paid. */
  plan: string
  intervals: Readonly<Record<SubscriptionInterval, string>>
  isCharged: string
  isAsked: string
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
    plan: 'Assinatura',
    intervals: { weekly: 'por semana', monthly: 'por mês', yearly: 'por ano' },
    isCharged: 'O cartão que pagou fica guardado na processadora e é cobrado a cada vez, até a assinatura terminar.',
    isAsked: 'Pedimos que você pague a cada vez.',
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
    plan: 'Subscription',
    intervals: { weekly: 'every week', monthly: 'every month', yearly: 'every year' },
    isCharged: 'The card that paid is kept at the card processor and charged each time, until the subscription ends.',
    isAsked: 'You are asked to pay each time.',
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
    plan: 'Suscripción',
    intervals: { weekly: 'por semana', monthly: 'por mes', yearly: 'por año' },
    isCharged:
      'La tarjeta que pagó queda guardada en el procesador y se cobra cada vez, hasta que termine la suscripción.',
    isAsked: 'Le pedimos que pague cada vez.',
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
  terms: SubscriptionTerms | null
}

/** A decimal string in a currency. */
type Money = Pick<Charge, 'amount' | 'currency'>

/** The e-mail with a payment's receipt: nothing of the payer is in it, and nothing that opens anything but this payment. */
export function receiptMessage(
  payment: Payment,
  language: ReceiptLanguage,
  { shop, page, at, charge, terms }: ReceiptContext,
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
    ...(terms ? [[words.plan, planText(terms, payment, words)] as const] : []),
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

/** Who pays a later period otherwise may have a card on file: nothing is said of that then. */
function planText(terms: SubscriptionTerms, payment: Payment, words: Words): string {
  const { planName, interval, amountFrom, charge, isFirst } = terms
  const price = moneyText({ amount: amountFrom, currency: payment.fromCurrencySymbol }, words.locale)
  const isByCard = methodOf(payment) === 'card'
  const how = charge && isByCard ? ` ${words.isCharged}` : charge && !isFirst ? '' : ` ${words.isAsked}`
  return `${planName}, ${price} ${words.intervals[interval]}.${how}`
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
