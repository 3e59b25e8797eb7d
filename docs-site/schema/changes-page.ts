import { html, type Html } from '../../kernel/html.js'
import { changesBetween } from '../../schema/releases.js'
import { described } from './pieces.js'

/** The difference between two of the versions. @param from, to of `versions` */
export function changesPage(versions: readonly string[], from: string, to: string): Html {
  const changes = changesBetween(from, to)
  const parts: readonly [string, readonly Html[]][] = [
    ['Breaking', changes.breaking.map((change) => described(change))],
    [
      'Breaking, with a reason',
      changes.accepted.map(({ change, reason }) => html`${described(change)}<br />${described(reason)}`),
    ],
    ['Dangerous', changes.dangerous.map((change) => described(change))],
    ['Safe', changes.safe.map((change) => described(change))],
  ]
  const told = parts.filter(([, lines]) => lines.length > 0)
  return html`<p><a href="/schema">GraphQL schema</a></p>
    <h1>What changed</h1>
    <form class="row" action="/schema/changes">
      ${choice('from', 'From', versions, from)} ${choice('to', 'to', versions, to)}
      <button>Compare</button>
    </form>
    ${told.length === 0 ? html`<p>Nothing.</p>` : html``}
    ${told.map(
      ([title, lines]) =>
        html`<h2>${title} (${lines.length})</h2>
          <ul>
            ${lines.map((line) => html`<li>${line}</li>`)}
          </ul>`,
    )}`
}

/** What is said to who asks for a version that there is none of. @param parameter `from` or `to` */
export function unknownVersion(parameter: string, versions: readonly string[]): Html {
  return html`<p><a href="/schema/changes">What changed</a></p>
    <h1>There is no such version</h1>
    <p role="alert"><code>${parameter}</code> has to be one of ${versions.join(', ')}.</p>`
}

function choice(name: string, label: string, versions: readonly string[], chosen: string): Html {
  return html`<label>
    ${label}
    <select name="${name}">
      ${versions.map((version) =>
        version === chosen ? html`<option selected>${version}</option>` : html`<option>${version}</option>`,
      )}
    </select>
  </label>`
}
