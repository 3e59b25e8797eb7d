import type { Messages } from './messages/messages.js'
import { amountOf, decimal, fill } from './text.js'
import { Time } from './time.js'
import type { PageView } from './view.js'

interface ReceiptProps {
  view: PageView
  receipt: NonNullable<PageView['receipt']>
  messages: Messages
}

/** What a payer keeps: how much, how, when, and where it can be looked up. */
export function Receipt({ view, receipt, messages }: ReceiptProps) {
  const { chosen } = view
  const { reference, at, hash, explorer } = receipt
  return (
    <div class="receipt" data-test="receipt">
      <h3>{messages.receipt}</h3>
      <dl>
        <Row name={messages.amount}>{amountOf(view, messages)}</Row>
        {view.charge && <Row name={messages.charge.paid}>{amountOf(view.charge, messages)}</Row>}
        {chosen && <Row name={messages.method}>{messages.methods[chosen]}</Row>}
        <Row name={messages.paidAt}>
          <Time at={at} messages={messages} />
        </Row>
        {hash !== null && (
          <Row name={messages.hash}>
            {explorer === null ? (
              <code>{hash}</code>
            ) : (
              <a href={explorer} rel="noreferrer">
                <code>{hash}</code> <span class="unseen">{messages.explorer}</span>
              </a>
            )}
          </Row>
        )}
        <Row name={messages.reference}>
          <code>{reference}</code>
        </Row>
      </dl>
    </div>
  )
}

function Row({ name, children }: { name: string; children: preact.ComponentChildren }) {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  )
}

interface ViewProps {
  view: PageView
  messages: Messages
}

/** What a payer should know of money that came otherwise than it was asked for, and of what went back to him. */
export function Said({ view, messages }: ViewProps) {
  const { addressNote, back, beside, isSentBack } = view
  return (
    <>
      {back && (
        <Notes
          name="back"
          said={[
            [back.refunded, back.isWhole && !back.takenBack ? messages.returned.whole : messages.returned.part],
            [back.takenBack, messages.returned.taken],
            [back.onItsWay, messages.returned.onItsWay],
          ]}
          textOf={(amount) => amountOf({ amount, currency: back.currency }, messages)}
        />
      )}
      {addressNote && <AddressNote note={addressNote} messages={messages} />}
      {beside && (
        <Notes
          name="beside"
          said={[
            [beside.lying, messages.beside.lying],
            [beside.tooLate, messages.beside.tooLate],
            [beside.twice, messages.beside.twice],
          ]}
          textOf={(amount) => `${decimal(amount, messages)} ${beside.token}`}
        />
      )}
      {isSentBack && (
        <p class="small" data-test="sent-back">
          {messages.sentBack}
        </p>
      )}
    </>
  )
}

interface NotesProps {
  /** Of `data-test`: what came beside is no good news. */
  name: 'back' | 'beside'
  /** Amounts, and what is said of each; of none nothing. */
  said: readonly (readonly [string | null, string])[]
  textOf: (amount: string) => string
}

function Notes({ name, said, textOf }: NotesProps) {
  return (
    <>
      {said.map(
        ([amount, text]) =>
          amount !== null && (
            <p key={text} class={name === 'back' ? 'note' : 'alert'} data-test={name}>
              {fill(text, { amount: textOf(amount) })}
            </p>
          ),
      )}
    </>
  )
}

interface AddressNoteProps {
  note: NonNullable<PageView['addressNote']>
  messages: Messages
}

/** What a payer should know of what came otherwise than it was asked for. */
function AddressNote({ note: { short, over, isLate, token }, messages }: AddressNoteProps) {
  const { address: texts } = messages
  return (
    <>
      {short && (
        <p class="note" data-test="address-short">
          {fill(texts.short, {
            came: decimal(short.came, messages),
            asked: `${decimal(short.asked, messages)} ${token}`,
          })}
        </p>
      )}
      {isLate && (
        <p class="small" data-test="address-late">
          {texts.late}
        </p>
      )}
      {over !== null && (
        <p class="small" data-test="address-over">
          {fill(short ? texts.more : texts.over, { amount: `${decimal(over, messages)} ${token}` })}
        </p>
      )}
    </>
  )
}

/** Before what is paid for: what the payer's bank is asked for, and what he agrees to of a subscription. */
export function Terms({ view, messages }: ViewProps) {
  const { charge, plan, currency } = view
  const texts = messages.plan
  return (
    <>
      {charge && !view.receipt && (
        <span class="to" data-test="charge">
          {fill(messages.charge[charge.isEstimate ? 'about' : 'exact'], { amount: amountOf(charge, messages) })}
        </span>
      )}
      {plan && (
        <div class="price" data-test="plan">
          {fill(texts.is, { plan: plan.name })}
          <b>{fill(texts[plan.interval], { amount: amountOf({ amount: plan.amount, currency }, messages) })}</b>
          {texts[plan.way]}
          {plan.trialEndsAt !== null && (
            <p class="small">
              {texts.trial.split('{time}')[0]}
              <Time at={plan.trialEndsAt} messages={messages} />
            </p>
          )}
        </div>
      )}
    </>
  )
}
