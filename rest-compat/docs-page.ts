import { html, styledPage, type Html } from '../kernel/html.js'
import { ERRORS, type ErrorCode } from '../kernel/errors.js'
import { flatFields, typeOf, type FlatField } from './flat-fields.js'
import type { JsonSchema } from './json-schema.js'
import { openApiPath, repliesOf, type OpenApiDocument, type OpenApiOperation } from './openapi.js'
import { errorsOf, COMMON_ERRORS, type Route } from './route.js'
import { ROUTES } from './routes.js'

/** The page for people: every route of the table as the OpenAPI document describes it. */
export function docsPage(document: OpenApiDocument): string {
  return html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width" />
        <title>${document.info.title}</title>
        ${STYLED.style}
      </head>
      <body>
        <nav aria-label="Routes">
          <a href="/docs">All documentation</a>
          <a href="#general">In general</a>
          ${ROUTES.map(
            (route) => html`<a href="#${anchorOf(route)}"><b>${route.method}</b> ${openApiPath(route.path)}</a>`,
          )}
        </nav>
        <main>
          <h1>${document.info.title} ${document.info.version}</h1>
          ${general(document)} ${ROUTES.map((route) => section(route, document))}
        </main>
      </body>
    </html>`.text
}

function anchorOf({ method, path }: Route): string {
  return `${method.toLowerCase()}${path.replace(/\W+/g, '-')}`
}

function general({ info, servers, components }: OpenApiDocument): Html {
  const everywhere: ErrorCode[] = ['not_found', ...COMMON_ERRORS]
  const { name: header } = components.securitySchemes['apiKey'] ?? { name: '' }
  return html`<section id="general">
    <p>Base address: <code>${servers[0]?.url}</code>. For programs: <a href="/openapi.json">openapi.json</a>.</p>
    <h3>The key</h3>
    <p>Every request carries an API key in the header <code>${header}</code>, in lower case:</p>
    <pre><code>curl ${servers[0]?.url}/config/products -H '${header}: YOUR_KEY'</code></pre>
    ${info.description.split(/(?<=\.) /).map((sentence) => html`<p>${withCode(sentence)}</p>`)}
    <h3>Every answer</h3>
    ${fieldTable(
      Object.entries(components.headers).map(([name, { description, schema }]) => ({
        path: name,
        type: typeOf(schema, {}),
        required: false,
        description,
      })),
      'Header',
    )}
    <h3>Answers of the gateway</h3>
    ${fieldTable(flatFields(components.schemas['GatewayRefusal'] ?? {}, components.schemas), 'Field')}
    <h3>Errors of every path</h3>
    ${errorTable(everywhere)}
  </section>`
}

function section(route: Route, { paths, components }: OpenApiDocument): Html {
  const operation = paths[openApiPath(route.path)]?.[route.method.toLowerCase()]
  if (!operation) throw new Error(`${route.method} ${route.path} is not in the document`)
  const { schemas } = components
  return html`<section id="${anchorOf(route)}">
    <h2><b>${route.method}</b> ${openApiPath(route.path)}</h2>
    <p>${route.summary}</p>
    ${parameters(operation, schemas)} ${bodies(route, operation, schemas)}
    <h3>Reply</h3>
    ${repliesOf(route).map(
      ({ http, status, message }) => html`<p><b>${http}</b> <code>${status}</code> ${message}</p>`,
    )}
    ${fieldTable(flatFields(dataOf(operation), schemas, 'data.'), 'Field')}
    <h3>Errors</h3>
    ${errorTable(errorsOf(route))}
  </section>`
}

function parameters({ parameters }: OpenApiOperation, schemas: Readonly<Record<string, JsonSchema>>): Html {
  const rows = parameters.map(({ name, in: place, required, description = '', schema }) => ({
    path: name,
    type: `${typeOf(schema, schemas)}, in the ${place}`,
    required,
    description,
  }))
  return rows.length === 0
    ? html``
    : html`<h3>Parameters</h3>
        ${fieldTable(rows, 'Name', true)}`
}

/** The body; where the body decides which operation runs, each with what decides. */
function bodies(
  { operation: chosen }: Route,
  { requestBody }: OpenApiOperation,
  schemas: Readonly<Record<string, JsonSchema>>,
): Html {
  const schema = requestBody?.content['application/json'].schema
  if (!schema) return html``
  const headings = typeof chosen === 'string' ? ['Body'] : [`Body without ${chosen.sent}`, `Body with ${chosen.sent}`]
  return html`${(schema.anyOf ?? [schema]).map(
    (body, index) =>
      html`<h3>${headings[index] ?? 'Body'}</h3>
        ${fieldTable(flatFields(body, schemas), 'Field', true)}`,
  )}`
}

function dataOf({ responses }: OpenApiOperation): JsonSchema {
  const success = Object.entries(responses).find(([http]) => http.startsWith('2'))?.[1]
  return success?.content['application/json'].schema.properties?.['data'] ?? {}
}

function fieldTable(rows: readonly FlatField[], heading: string, isInput = false): Html {
  return html`<table>
    <thead>
      <tr>
        <th scope="col">${heading}</th>
        <th scope="col">Type</th>
        ${isInput ? html`<th scope="col">Required</th>` : undefined}
        <th scope="col">What it is</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        ({ path, type, required, description }) =>
          html`<tr>
            <td><code>${path}</code></td>
            <td>${isInput ? type.replace(/ or null$/, '') : type}</td>
            ${isInput ? html`<td>${required ? 'yes' : 'no'}</td>` : undefined}
            <td>${withCode(description)}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

function errorTable(codes: readonly ErrorCode[]): Html {
  const rows = codes.toSorted((one, other) => ERRORS[one].http - ERRORS[other].http)
  return html`<table>
    <thead>
      <tr>
        <th scope="col">HTTP</th>
        <th scope="col">status</th>
        <th scope="col">message</th>
      </tr>
    </thead>
    <tbody>
      ${rows.map(
        (code) =>
          html`<tr>
            <td>${ERRORS[code].http}</td>
            <td><code>${code}</code></td>
            <td>${ERRORS[code].message}</td>
          </tr>`,
      )}
    </tbody>
  </table>`
}

/** Text with what stands between backticks as code. */
function withCode(text: string): Html {
  return html`${text.split('`').map((piece, index) => (index % 2 === 1 ? html`<code>${piece}</code>` : html`${piece}`))}`
}

const STYLED = styledPage(`
:root { color-scheme: light dark; font: 16px/1.5 system-ui, sans-serif; }
body { margin: 0; }
nav { display: flex; flex-direction: column; gap: .25rem; padding: 1.5rem; font-size: .875rem; }
main { padding: 1.5rem; max-width: 60rem; }
section { border-top: 1px solid #8884; padding-top: .5rem; margin-top: 2rem; }
table { border-collapse: collapse; width: 100%; font-size: .875rem; }
th, td { text-align: left; vertical-align: top; padding: .25rem .75rem .25rem 0; border-bottom: 1px solid #8883; }
td { overflow-wrap: anywhere; }
pre { overflow-x: auto; }
h2 { overflow-wrap: anywhere; font-size: 1.25rem; }
h3 { font-size: 1rem; }
@media (min-width: 70rem) {
  nav { position: fixed; inset: 0 auto 0 0; width: 21rem; overflow-y: auto; box-sizing: border-box; }
  main { margin-left: 21rem; }
}
`)

/** The headers of the reference. */
export const REFERENCE_HEADERS = { ...STYLED.headers, 'cache-control': 'no-cache' }
