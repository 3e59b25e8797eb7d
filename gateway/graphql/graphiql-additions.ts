/**
 * A tab of GraphiQL is pressed, and cannot be dragged. GraphiQL believes each tab to stand at the right end of the list, as the
 * letters come after the tabs were measured. That shows once a tab has the focus: it jumped from under the pressed mouse, and a
 * hand that moved a little put it among others.
 */
const STILL_TABS = `
.graphiql-tab { transform: none !important; touch-action: auto !important; }
`

/** On a phone the panes stand one above the other, and below what else there is. */
const NARROW = `
@media (max-width: 48rem) {
  .graphiql-container, .graphiql-container .graphiql-main, .graphiql-container #graphiql-session { flex-direction: column; min-height: 0; }
  .graphiql-container .graphiql-sidebar { flex-direction: row; flex-shrink: 0; width: auto; padding: 0 var(--px-8); }
  .graphiql-container .graphiql-sessions { margin: 0; border-radius: 0; }
  .graphiql-container .graphiql-response { flex: .6 !important; }
  .graphiql-container .graphiql-logo, .graphiql-horizontal-drag-bar { display: none; }
}
`

/** What the page's head has besides. */
export const HEAD = `<meta name="viewport" content="width=device-width" />
<style>${STILL_TABS}${NARROW}</style>`

/** A press on a tab is kept from what would begin to drag it. */
export const NO_DRAG = `
window.addEventListener(
  'pointerdown',
  (event) => {
    if (event.target.closest?.('.graphiql-tab')) event.stopPropagation()
  },
  true,
)
`

/**
 * A key that is given in one tab is sent from all, and after the page is loaded again: it is kept as long as the browser's
 * window is open. GraphiQL itself would write it to the disk, where a key that moves money does not belong.
 */
export const REMEMBER_KEY = `
(() => {
  const NAME = 'x-api-key'
  const send = window.fetch.bind(window)
  window.fetch = (input, init = {}) => {
    const headers = new Headers(init.headers)
    const given = headers.get(NAME)
    if (given) sessionStorage.setItem(NAME, given)
    const kept = sessionStorage.getItem(NAME)
    if (!given && kept) headers.set(NAME, kept)
    return send(input, { ...init, headers })
  }
})()
`
