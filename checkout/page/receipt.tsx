import type { Messages } from './messages/messages.js'
import { amountOf } from './text.js'
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
