import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { buildSchema } from 'graphql'
import { html, type Html } from '../../kernel/html.js'
import { projectRoot } from '../../kernel/root.js'
import { schemaChanges, type AcceptedChange } from '../../schema/changes.js'

/** What is served now. */
export const CURRENT = 'current'

const folder = join(projectRoot, 'schema')

/** The versions that can be compared, oldest first, and last what is served now. */
export function schemaVersions(): string[] {
  const released = readdirSync(join(folder, 'released')).map((file) => file.replace(/\.graphql$/, ''))
  return [...released.toSorted((one, other) => one.localeCompare(other, 'en', { numeric: true })), CURRENT]
}

/** The difference between two of the versions. @param from, to of `schemaVersions` */
export function changesPage(versions: readonly string[], from: string, to: string): Html {
  const accepted = JSON.parse(readFileSync(join(folder, 'accepted-changes.json'), 'utf8')) as AcceptedChange[]
  const changes = schemaChanges(readVersion(from), readVersion(to), accepted)
  const parts: readonly [string, readonly Html[]][] = [
    ['Breaking', changes.breaking.map((change) => html`${change}`)],
    ['Breaking, with a reason', changes.accepted.map(({ change, reason }) => html`${change}<br />${reason}`)],
    ['Dangerous', changes.dangerous.map((change) => html`${change}`)],
    ['Safe', changes.safe.map((change) => html`${change}`)],
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

function readVersion(version: string): ReturnType<typeof buildSchema> {
  const path = version === CURRENT ? 'api.graphql' : join('released', `${version}.graphql`)
  return buildSchema(readFileSync(join(folder, path), 'utf8'))
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
