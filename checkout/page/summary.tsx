import type { Messages } from './messages/messages.js'
import { amountOf, fill } from './text.js'
import type { PageView } from './view.js'

/** What is paid: the amount, to whom, and for what. */
export function Summary({ view, base, messages }: { view: PageView; base: string; messages: Messages }) {
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
            {items.map(({ name, quantity, description, picture }) => (
              <li key={name}>
                {picture !== null && <Picture src={`${base}/${picture}`} />}
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
