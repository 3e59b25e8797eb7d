import { isDeepStrictEqual } from 'node:util'
import { composeServices } from '@apollo/composition'
import { buildSubgraphSchema } from '@apollo/subgraph'
import { execute, parse, validate, type GraphQLSchema } from 'graphql'
import { createLog } from '../../kernel/log.js'
import type { RequestContext, SubgraphExecutor, SubgraphResult } from '../../kernel/subgraph.js'
import { prepareOperation } from '../operation.js'
import { openSupergraph, type SupergraphExecutor } from '../supergraph.js'
import { readSuites, type AuditCase, type AuditSuite } from './suites.js'

const USAGE = `Usage: npm run federation-audit -- FOLDER

Asks what the public federation audit asks (graphql-hive/federation-gateway-audit; ADR 71 was measured with its commit f59c05e), of
which FOLDER is a clone, and prints what is answered otherwise than it wants, by our own plans and by Apollo's executor.`

const CONTEXT: RequestContext = { requestId: 'request', caller: { tenantId: 'tenant', keyId: 'key', products: [] } }

const WAYS = ['execute', 'executeByGateway'] as const

/** Prints how many cases pass. */
async function main(): Promise<void> {
  const [folder] = process.argv.slice(2)
  if (folder === undefined || folder.startsWith('-')) {
    console.log(USAGE)
    return
  }
  const suites = await readSuites(folder)
  for (const way of WAYS) {
    let [passed, total] = [0, 0]
    for (const suite of suites) {
      const graph = open(suite)
      for (const one of suite.cases()) {
        const received = shownOf(await answerTo(graph, way, one.query), one)
        const wanted = shownOf({ data: one.expected.data, errors: one.expected.errors === true }, one)
        total += 1
        if (isDeepStrictEqual(received, wanted)) passed += 1
        else console.log(`${way} ${suite.name}`, JSON.stringify({ query: one.query, wanted, received }))
      }
      await graph.stop()
    }
    console.log(`${way}: ${passed} of ${total}`)
  }
}

/** @throws where the suite's subgraphs do not compose */
function open({ name, subgraphs }: AuditSuite): SupergraphExecutor {
  const typed = subgraphs.map((subgraph) => ({ ...subgraph, typeDefs: parse(subgraph.typeDefs) }))
  const { supergraphSdl, errors } = composeServices(typed.map((one) => ({ ...one, url: `http://${one.name}` })))
  if (supergraphSdl === undefined) throw new Error(`${name}: ${String(errors)}`)
  const schemas = Object.fromEntries(
    typed.map((one) => [
      one.name,
      buildSubgraphSchema([{ typeDefs: one.typeDefs, resolvers: one.resolvers as never }]),
    ]),
  )
  const executors = Object.fromEntries(Object.entries(schemas).map(([of, schema]) => [of, overTheWire(schema)]))
  return openSupergraph({ supergraphSdl, schemas }, executors, createLog('silent'))
}

/** A subgraph that judges what it is asked, and whose data are those that its answer would carry. */
function overTheWire(schema: GraphQLSchema): SubgraphExecutor {
  return async ({ document, operationName, variables }) => {
    const errors = validate(schema, document)
    if (errors.length > 0) return { errors }
    const variableValues = throughJson(variables ?? {}) as Record<string, unknown>
    const result = await execute({ schema, document, variableValues, operationName: operationName ?? null })
    return { ...result, ...('data' in result && { data: throughJson(result.data) }) } as SubgraphResult
  }
}

async function answerTo(
  graph: SupergraphExecutor,
  way: (typeof WAYS)[number],
  query: string,
): Promise<{ data?: unknown; errors: boolean }> {
  try {
    if (validate(graph.apiSchema, parse(query)).length > 0) return { errors: true }
    const { data, errors = [] } = await graph[way](prepareOperation(query), {}, CONTEXT)
    return { data, errors: errors.length > 0 }
  } catch {
    return { errors: true }
  }
}

/** What is compared, as the audit compares it: the data, and where a case says whether there are errors, that. */
function shownOf({ data, errors }: { data?: unknown; errors: boolean }, { expected }: AuditCase): unknown {
  return throughJson({ data: data ?? null, errors: typeof expected.errors === 'boolean' ? errors : null })
}

function throughJson(value: unknown): unknown {
  return JSON.parse(JSON.stringify(value ?? null))
}

await main()
