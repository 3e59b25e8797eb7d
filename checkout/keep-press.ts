import { styleSource } from '../kernel/html.js'

/**
 * Stands in the document, before the page: on a slow network its script comes many seconds after it can be seen. What is pressed until then is
 * kept, the last of it, and looks so; `pressAgain`, which the page's script calls once it is alive, presses it. What copies is left out: a browser
 * lets no text be copied without a press of its own.
 */
export const KEEP_PRESS = `{
let kept
const mark = (isBusy) => { if (kept) kept.ariaBusy = isBusy }
onclick = ({ target }) => {
const button = target.closest('button:not([data-test$=copy])')
if (!button) return
mark(false)
kept = button
mark(true)
}
pressAgain = () => {
onclick = null
mark(false)
setTimeout(() => kept?.click())
}
}`

/** What the content security policy allows it by. */
export const KEEP_PRESS_SOURCE = styleSource(KEEP_PRESS)
