import { html, type Html } from '../../kernel/html.js'

/** Says of what subgraphs have that no client sees it. */
export function hiddenMark(isHidden: boolean): Html {
  return isHidden ? html` <em>(not in the API)</em>` : html``
}

/** A text of the schema, where code stands between backticks. One without its pair stays a backtick. */
export function described(text: string): Html {
  return html`${text.split(/`([^`]+)`/).map((part, index) => (index % 2 === 1 ? html`<code>${part}</code>` : html`${part}`))}`
}

/** Texts of code, in one line. */
export function codes(texts: readonly string[]): Html {
  return commaBetween(texts.map((text) => html`<code>${text}</code>`))
}

/** Pieces in one line. */
export function commaBetween(pieces: readonly Html[]): Html {
  return html`${pieces.map((piece, index) => (index === 0 ? piece : html`, ${piece}`))}`
}

/** A table that scrolls by itself where it is wider than the page. */
export function table(heads: readonly string[], rows: readonly (readonly Html[])[]): Html {
  return html`<div class="table" tabindex="0" role="region" aria-label="${heads.join(', ')}">
    <table>
      <thead>
        <tr>
          ${heads.map((head) => html`<th scope="col">${head}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (cells) =>
            html`<tr>
              ${cells.map((cell) => html`<td>${cell}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}
