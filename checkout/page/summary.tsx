import type { Messages } from './messages/messages.js'
import { amountOf, fill } from './text.js'
import type { PageView } from './view.js'

/** What is paid: the amount, to whom, and for what. */
export function Summary({ view, messages }: { view: PageView; messages: Messages }) {
  const { merchant, items } = view
  return (
    <section class="summary">
      <h1>
        {merchant !== null && <span class="to">{fill(messages.to, { merchant })}</span>}
        <span class="amount" data-test="amount">
          {amountOf(view, messages)}
        </span>
      </h1>
      {items.length > 0 && (
        <>
          <h2 class="unseen">{messages.items}</h2>
          <ul class="items">
            {items.map(({ name, quantity, description }) => (
              <li key={name}>
                <span class="quantity">{quantity} ×</span>{' '}
                <span>
                  {name}
                  {description !== null && <small>{description}</small>}
                </span>
              </li>
            ))}
          </ul>
        </>
      )}
    </section>
  )
}
