/**
 * A tab of GraphiQL is pressed, and cannot be dragged. GraphiQL believes each tab to stand at the right end of the list, as the
 * letters come after the tabs were measured. That shows once a tab has the focus: it jumped from under the pressed mouse, and a
 * hand that moved a little put it among others.
 */
const STILL_TABS = `
.graphiql-tab { transform: none !important; touch-action: auto !important; }
`

/** What the page's head has besides. */
export const HEAD = `<style>${STILL_TABS}</style>`

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
