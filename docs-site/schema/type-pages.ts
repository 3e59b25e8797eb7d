import { html, type Html } from '../../kernel/html.js'
import type { Place } from '../search.js'
import type { FieldOwner, NamedPart, OwnedArgument, OwnedField, OwnedType } from './ownership.js'
import { codes, commaBetween, described, hiddenMark, table } from './pieces.js'

const ROOTS: readonly string[] = ['Query', 'Mutation', 'Subscription']

/** What a search finds in the schema. */
interface SchemaPlace extends Place {
  isInaccessible: boolean
}

/** The first page: who has what, and by what objects are told apart across subgraphs. */
export function overviewPage(types: readonly OwnedType[], query: string, found: readonly SchemaPlace[]): Html {
  const subgraphs = [...new Set(types.flatMap((type) => type.subgraphs))].toSorted()
  const entities = types.filter(({ keys }) => keys.length > 0)
  return html`<h1>GraphQL schema</h1>
    <p>
      What the subgraphs put together, as the gateway serves it. <a href="/schema/plan">Plan an operation</a> &middot;
      <a href="/schema/changes">What changed</a> &middot; <a href="/graphql">GraphiQL</a>
    </p>
    <form class="row" action="/schema" role="search" aria-label="Schema">
      <input
        type="search"
        name="q"
        value="${query}"
        aria-label="Search the schema"
        placeholder="A type, a field, a value, a word"
      />
      <button>Search</button>
    </form>
    ${query === '' ? html`` : foundIn(found, query)}
    <h2 id="entities">Entities</h2>
    <p>Types that several subgraphs know, and the keys by which each of them finds their objects.</p>
    ${table(
      ['Type', 'Key', 'Answered by', 'Named by'],
      entities.map(({ name, keys, isInaccessible }) => {
        const of = (isResolvable: boolean) => keys.filter((key) => key.isResolvable === isResolvable)
        const fields = [...new Set(keys.map((key) => key.fields))]
        return [
          html`<a href="${pathOf(name)}">${name}</a>${hiddenMark(isInaccessible)}`,
          codes(fields),
          codes(of(true).map(({ subgraph }) => subgraph)),
          codes(of(false).map(({ subgraph }) => subgraph)),
        ]
      }),
    )}
    ${subgraphs.map((subgraph) => subgraphPart(types, subgraph))}`
}

function foundIn(found: readonly SchemaPlace[], query: string): Html {
  if (found.length === 0) return html`<p>Nothing has &ldquo;${query}&rdquo;.</p>`
  return html`<ul>
    ${found.map(
      ({ title, link, text, isInaccessible }) =>
        html`<li><a href="${link}">${title}</a>${hiddenMark(isInaccessible)} ${described(text.slice(0, 120))}</li>`,
    )}
  </ul>`
}

/** What one subgraph has: its operations, and its types. */
function subgraphPart(types: readonly OwnedType[], subgraph: string): Html {
  const own = types.filter(({ name, subgraphs }) => subgraphs.includes(subgraph) && !ROOTS.includes(name))
  return html`<h2 id="${subgraph}">${subgraph}</h2>
    ${ROOTS.map((root) => {
      const fields = types.find(({ name }) => name === root)?.fields ?? []
      const owned = fields.filter(({ owners }) => owners.some((owner) => owner.subgraph === subgraph))
      if (owned.length === 0) return html``
      return html`<p>${root}: ${namesLinked(owned, (name) => `${pathOf(root)}#${name}`)}</p>`
    })}
    <details>
      <summary>${own.length} types</summary>
      <p>${namesLinked(own, pathOf)}</p>
    </details>`
}

/** Those that clients see, and then those that they do not. */
function namesLinked(
  parts: readonly Pick<OwnedType, 'name' | 'isInaccessible'>[],
  linkOf: (name: string) => string,
): Html {
  const links = (isHidden: boolean): Html[] =>
    parts
      .filter(({ isInaccessible }) => isInaccessible === isHidden)
      .map(({ name }) => html`<a href="${linkOf(name)}">${name}</a>`)
  const hidden = links(true)
  if (hidden.length === 0) return commaBetween(links(false))
  return html`${commaBetween(links(false))}<br />${hiddenMark(true)} ${commaBetween(hidden)}`
}

/** A type: its fields, and who answers for each. */
export function typePage(type: OwnedType, types: readonly OwnedType[]): Html {
  const { name, kind, description, subgraphs, keys, fields, values, names } = type
  const users = types.filter((one) => one.fields.some((field) => namedTypeOf(field.type) === name))
  return html`<p><a href="/schema">GraphQL schema</a></p>
    <h1>${name}</h1>
    <p>${kind} in ${codes(subgraphs)}${hiddenMark(type.isInaccessible)}</p>
    <p>${described(description)}</p>
    ${keys.map(
      (key) =>
        html`<p>
          <code>${key.subgraph}</code> ${key.isResolvable ? 'finds its objects by' : 'names its objects by'}
          <code>${key.fields}</code>.
        </p>`,
    )}
    ${names.length === 0 ? html`` : html`<p>${NAMES[kind] ?? 'Implements'}: ${linked(names, types)}</p>`}
    ${
      fields.length === 0
        ? html``
        : table(
            ['Field', 'Type', 'Answered by', 'What it is'],
            fields.map((field) => [
              html`<code id="${field.name}">${field.name}</code>`,
              typeLink(field.type, types),
              owners(field.owners),
              html`${meaning(field)}${field.arguments.length === 0 ? html`` : argumentList(field)}`,
            ]),
          )
    }
    ${
      values.length === 0
        ? html``
        : table(
            ['Value', 'What it is'],
            values.map((value) => [
              html`<code id="${value.name}">${value.name}</code>`,
              html`${told(value)}${hiddenMark(value.isInaccessible)}`,
            ]),
          )
    }
    ${
      users.length === 0
        ? html``
        : html`<h2>Used by</h2>
            <p>
              ${linked(
                users.map((user) => user.name),
                types,
              )}
            </p>`
    }`
}

const NAMES: Partial<Record<OwnedType['kind'], string>> = { union: 'One of' }

function meaning(field: OwnedField): Html {
  const { costs, isInaccessible } = field
  return html`${told(field)}${costs.map((cost) => html` <code>${cost}</code>`)}${hiddenMark(isInaccessible)}`
}

function told({ description, deprecated }: NamedPart): Html {
  return html`${described(description)}${deprecated === undefined ? html`` : html` <strong>Deprecated:</strong> ${described(deprecated)}`}`
}

function argumentList(field: OwnedField): Html {
  return html`<ul>
    ${field.arguments.map(
      (argument) => html`<li id="${anchorOf(field, argument)}"><code>${argument.text}</code> ${told(argument)}</li>`,
    )}
  </ul>`
}

function anchorOf(field: OwnedField, argument: OwnedArgument): string {
  return `${field.name}.${argument.name}`
}

function owners(all: readonly FieldOwner[]): Html {
  return commaBetween(
    all.map(({ subgraph, isExternal, requires, provides }) => {
      if (isExternal) return html`<span>named by <code>${subgraph}</code></span>`
      const needs = requires === undefined ? html`` : html` with <code>${requires}</code>`
      const brings = provides === undefined ? html`` : html`, brings <code>${provides}</code>`
      return html`<span><code>${subgraph}</code>${needs}${brings}</span>`
    }),
  )
}

/** What a search finds: types and fields, and behind those that fit as well values and arguments. */
export function schemaPlaces(types: readonly OwnedType[]): SchemaPlace[] {
  const placesOf = (type: OwnedType): SchemaPlace[] => [
    { title: type.name, link: pathOf(type.name), text: type.description, isInaccessible: type.isInaccessible },
    ...type.fields.map((field) => placeIn(type, field.name, field)),
  ]
  const partsOf = (type: OwnedType): SchemaPlace[] => [
    ...type.values.map((value) => placeIn(type, value.name, value)),
    ...type.fields.flatMap((field) =>
      field.arguments.map((argument) => ({
        ...placeIn(type, anchorOf(field, argument), { ...argument, isInaccessible: field.isInaccessible }),
        title: `${type.name}.${field.name}(${argument.name})`,
      })),
    ),
  ]
  return [...types.flatMap(placesOf), ...types.flatMap(partsOf)]
}

function placeIn(
  type: OwnedType,
  anchor: string,
  { description, isInaccessible }: Pick<OwnedField, 'description' | 'isInaccessible'>,
): SchemaPlace {
  return {
    title: `${type.name}.${anchor}`,
    link: `${pathOf(type.name)}#${anchor}`,
    text: description,
    isInaccessible: type.isInaccessible || isInaccessible,
  }
}

function pathOf(type: string): string {
  return `/schema/types/${type}`
}

function namedTypeOf(type: string): string {
  return type.replaceAll(/[[\]!]/g, '')
}

function typeLink(type: string, types: readonly OwnedType[]): Html {
  const name = namedTypeOf(type)
  const found = types.find((one) => one.name === name)
  if (!found) return html`<code>${type}</code>`
  return html`<a href="${pathOf(name)}"><code>${type}</code></a
    >${hiddenMark(found.isInaccessible)}`
}

function linked(names: readonly string[], types: readonly OwnedType[]): Html {
  return commaBetween(names.map((name) => typeLink(name, types)))
}
