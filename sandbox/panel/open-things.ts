import type { SimulatedOrder } from '../card/order.js'
import type { SimulatedSession } from '../kyc/session.js'
import type { Mail } from '../mail/mailbox.js'
import type { Cob } from '../pix/wire.js'
import type { PartialSandbox } from '../sandbox.js'
import { cardUrl, kycUrl, pixUrl } from './actions.js'

/** So many of a kind are shown, the newest first. */
const SHOWN_MAX = 15

/** A line of the page: what it is about, and the buttons that there are for it. */
export interface PanelRow {
  title: string
  /** What else is known of it. */
  details: readonly string[]
  link?: { href: string; text: string }
  buttons: readonly PanelButton[]
}

/** A button sends its fields as a form. */
export interface PanelButton {
  label: string
  fields: Readonly<Record<string, string>>
}

/** What somebody can do something about at the simulators that run here; undefined for one that does not. */
export interface OpenThings {
  pix: readonly PanelRow[] | undefined
  people: readonly PanelRow[] | undefined
  cards: readonly PanelRow[] | undefined
  mails: readonly PanelRow[] | undefined
}

/** Asks the simulators for what is open. One that was told to fail shows nothing of itself failing: these routes never do. */
export async function openThings(sandbox: PartialSandbox): Promise<OpenThings> {
  const [pix, people, cards, mails] = await Promise.all([
    rowsOf<{ cobs: Cob[] }>(pixUrl(sandbox), '/sandbox/cob', ({ cobs }) => pixRows(cobs, sandbox.now())),
    rowsOf<{ sessions: ShownSession[] }>(kycUrl(sandbox), '/sandbox/sessions', ({ sessions }) =>
      sessions.map(personRow),
    ),
    rowsOf<{ orders: SimulatedOrder[] }>(cardUrl(sandbox), '/sandbox/orders', ({ orders }) => orders.flatMap(cardRows)),
    rowsOf<Mail[]>(sandbox.mailboxUrl, '', (all) => all.map((mail) => mailRow(mail, sandbox.mailboxUrl ?? ''))),
  ])
  return { pix, people, cards, mails }
}

async function rowsOf<Answer>(
  base: string | undefined,
  path: string,
  rows: (answer: Answer) => readonly PanelRow[],
): Promise<readonly PanelRow[] | undefined> {
  if (base === undefined) return undefined
  const answer = await fetch(base + path, { headers: { accept: 'application/json' } })
  // The simulators tell the oldest first.
  return rows((await answer.json()) as Answer)
    .slice(-SHOWN_MAX)
    .toReversed()
}

/** Charges that can still be paid, and Pix that can still be taken back. */
function pixRows(cobs: readonly Cob[], now: Date): PanelRow[] {
  return cobs.flatMap((cob) => {
    const endsAt = Date.parse(cob.calendario.criacao) + cob.calendario.expiracao * 1000
    if (cob.status === 'ATIVA' && endsAt > now.getTime()) return [openCharge(cob, new Date(endsAt))]
    return cob.pix.filter(({ devolucoes }) => devolucoes.length === 0).map(paidCharge)
  })
}

function openCharge({ txid, valor, devedor }: Cob, endsAt: Date): PanelRow {
  const button = (label: string, action: string): PanelButton => ({ label, fields: { action, txid } })
  return {
    title: `R$ ${valor.original}`,
    details: ['waits to be paid', ...(devedor?.['nome'] ? [devedor['nome']] : []), `until ${timeOf(endsAt)}`, txid],
    buttons: [
      button('Pay this Pix', 'pix-pay-charge'),
      button('Let it expire', 'pix-expire'),
      button('Remove it at the provider', 'pix-remove'),
    ],
  }
}

function paidCharge({ endToEndId, valor, horario }: Cob['pix'][number]): PanelRow {
  return {
    title: `R$ ${valor}`,
    details: [`paid ${timeOf(new Date(horario))}`, endToEndId],
    buttons: [{ label: 'Force it back (MED)', fields: { action: 'pix-med', e2eid: endToEndId } }],
  }
}

/** What the verification provider's simulator shows of a session that is not over. */
export type ShownSession = Pick<SimulatedSession, 'id' | 'number' | 'status' | 'createdAt'> & { url: string }

function personRow({ id, number, status, createdAt, url }: ShownSession): PanelRow {
  const button = (label: string, decision: string): PanelButton => ({
    label,
    fields: { action: 'kyc-decide', session: id, status: decision },
  })
  return {
    title: `Verification ${number}`,
    details: [status, `since ${timeOf(new Date(createdAt))}`],
    link: { href: url, text: 'the page that the person sees' },
    buttons: [
      button('Confirm this person', 'Approved'),
      button('Decline', 'Declined'),
      button('Send to review', 'In Review'),
    ],
  }
}

/** What can become of a charge, by what it is. */
const CARD_BUTTONS: Readonly<Record<string, readonly (readonly [string, string])[]>> = {
  paid: [
    ['Charge it back', 'card-chargeback'],
    ['Refund it at the processor', 'card-refund'],
  ],
  pending: [['Settle it', 'card-settle']],
  processing: [['Settle it', 'card-settle']],
  chargedback: [['Win the dispute', 'card-win']],
}

function cardRows({ charges: [charge] }: SimulatedOrder): PanelRow[] {
  const buttons = CARD_BUTTONS[charge.status] ?? []
  if (buttons.length === 0) return []
  const { brand, last_four_digits: digits } = charge.last_transaction['card'] as Record<string, string>
  return [
    {
      title: `R$ ${centsText(charge.amount - charge.canceled_amount)}`,
      details: [charge.status, `${brand ?? 'card'} … ${digits ?? ''}`, charge.id],
      buttons: buttons.map(([label, action]) => ({ label, fields: { action, charge: charge.id } })),
    },
  ]
}

function centsText(cents: number): string {
  return `${Math.floor(cents / 100)}.${String(cents % 100).padStart(2, '0')}`
}

function mailRow({ to, subject, date }: Mail, mailboxUrl: string): PanelRow {
  const href = `${mailboxUrl}?to=${encodeURIComponent(to)}`
  return { title: subject, details: [to, timeOf(new Date(date))], link: { href, text: 'read' }, buttons: [] }
}

/** A time of the sandbox's clock, as a person reads it: UTC, to the second. */
function timeOf(date: Date): string {
  return `${date.toISOString().slice(0, 19).replace('T', ' ')} UTC`
}
