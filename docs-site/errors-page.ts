import { ERRORS, type ErrorCode } from '../kernel/errors.js'
import { html, type Html } from '../kernel/html.js'
import { ERROR_ADVICE } from '../rest-compat/error-advice.js'
import type { Place } from './search.js'

const CODES = Object.keys(ERRORS) as ErrorCode[]

/** Every code: its status over HTTP, what it means, and what to do. */
export function errorsPage(): Html {
  return html`<h1>Errors</h1>
    <p>
      REST answers the code as <code>status</code> of the envelope, GraphQL in capitals as <code>extensions.code</code>.
      Decide by the code, not by the message. Every answer has an id in <code>x-request-id</code>; tell it when you ask
      us.
    </p>
    <p>
      Two answers are no envelopes, those of the gateway: 403 (the key's header) and 429 (the rate), with
      <code>code</code>, <code>message</code>, <code>docs</code>.
    </p>
    <div class="table">
      <table>
        <thead>
          <tr>
            <th scope="col">Code</th>
            <th scope="col">HTTP</th>
            <th scope="col">What it means, and what to do</th>
          </tr>
        </thead>
        <tbody>
          ${CODES.map(
            (code) =>
              html`<tr id="${code}">
                <td><code>${code}</code></td>
                <td>${ERRORS[code].http}</td>
                <td>${ERRORS[code].message}<br />${withCode(ERROR_ADVICE[code])}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </div>`
}

/** Each code as a place that a search finds. */
export function errorPlaces(): Place[] {
  return CODES.map((code) => ({
    title: code,
    link: `/docs/errors#${code}`,
    text: `${ERRORS[code].message} ${ERROR_ADVICE[code]}`,
  }))
}

function withCode(text: string): Html {
  return html`${text.split('`').map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`))}`
}
