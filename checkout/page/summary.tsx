import { Terms } from './lazy.js'
import type { Messages } from './messages/messages.js'
import { amountOf, fill } from './text.js'
import type { PageView } from './view.js'

/** So many items stand there at once: on a telephone the ways to pay would be screens away otherwise. */
const ITEMS_SHOWN = 3
/** Longer amounts are written smaller, so that no number is broken. */
const AMOUNT_SHORT = 13

/** What is paid: the amount, to whom, and for what. */
export function Summary({ view, base, messages }: { view: PageView; base: string; messages: Messages }) {
  const { merchant, items } = view
  const amount = amountOf(view, messages)
  const first = items.length > ITEMS_SHOWN + 1 ? items.slice(0, ITEMS_SHOWN) : items
  const more = items.slice(first.length)
  return (
    <section class="summary">
      <h1>
        {merchant !== null && <span class="to">{fill(messages.to, { merchant })}</span>}
        <span class={amount.length > AMOUNT_SHORT ? 'amount long' : 'amount'} data-test="amount">
          {amount}
        </span>
      </h1>
      {view.hasTerms && <Terms view={view} messages={messages} />}
      {items.length > 0 && (
        <>
          <h2 class="unseen">{messages.items}</h2>
          <Items items={first} base={base} />
          {more.length > 0 && (
            <details>
              <summary data-test="more-items">{fill(messages.moreItems, { count: String(more.length) })}</summary>
              <Items items={more} base={base} />
            </details>
          )}
        </>
      )}
    </section>
  )
}

function Items({ items, base }: { items: PageView['items']; base: string }) {
  return (
    <ul class="items">
      {items.map(({ name, quantity, description, picture }, index) => (
        <li key={index}>
          {picture !== null && <Picture src={`${base}/${picture}`} />}
          <span class="quantity">{quantity} ×</span>{' '}
          <span>
            {name}
            {description !== null && <small>{description}</small>}
          </span>
        </li>
      ))}
    </ul>
  )
}

/** Of an item; one that its shop does not give is left out. */
function Picture({ src }: { src: string }) {
  return (
    <img
      class="item"
      data-test="item-picture"
      src={src}
      alt=""
      width="48"
      height="48"
      loading="lazy"
      onError={({ currentTarget }) => {
        currentTarget.hidden = true
      }}
    />
  )
}
