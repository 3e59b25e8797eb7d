import { Kind, visit, type DocumentNode } from 'graphql'
import { describe, expect, it } from 'vitest'
import { loadWholeSchema } from '../test/harness/api-schema.js'
import { loadOperations } from './operation.js'
import { operationNames, type RecordRow, type Route } from './route.js'
import { ROUTES, showRecord } from './routes.js'

const operations = loadOperations(loadWholeSchema())

/** The names by which a document keeps places for constants. */
function places(document: DocumentNode): string[] {
  const found: string[] = []
  visit(document, {
    [Kind.FIELD]: ({ name, alias }) => {
      if (name.value === '__typename') found.push(alias?.value ?? name.value)
    },
  })
  return found.toSorted()
}

function constantsOf(route: Route): string[] {
  const rows: RecordRow[] = [route, ...Object.values(route.items ?? {})]
  return rows.flatMap(({ constants }) => Object.keys(constants ?? {})).toSorted()
}

describe('a field that always says the same', () => {
  it('has its place in the document of each route whose row has it, and a value in each row whose document keeps a place', () => {
    const kept = ROUTES.flatMap((route) =>
      operationNames(route).map((name) => {
        const operation = operations.get(name)
        return [`${route.method} ${route.path} ${name}`, operation ? places(operation.document) : undefined]
      }),
    )
    const said = ROUTES.flatMap((route) =>
      operationNames(route).map((name) => [`${route.method} ${route.path} ${name}`, constantsOf(route)]),
    )
    expect(kept).toEqual(said)
    expect(said.filter(([, names]) => names?.length)).toHaveLength(10)
  })

  it('stands where the document keeps its place', () => {
    const data: Record<string, unknown> = { id: 'o1', payment_session_link: 'Order', active: true }
    showRecord(data, ROUTES.find(({ operation }) => operation === 'order') ?? {})
    expect(JSON.stringify(data)).toBe('{"id":"o1","payment_session_link":"","active":true}')
  })
})
