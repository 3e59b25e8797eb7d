import { SpanKind, SpanStatusCode } from '@opentelemetry/api'
import { Kind, type DocumentNode } from 'graphql'
import type { SubgraphExecutor } from './subgraph.js'
import { areSpansSent, traced } from './tracing.js'

/** So many fields of an operation are named in its span. */
const FIELDS_MAX = 10

/**
 * The executor, with a span for each operation that names the subgraph and the root fields. What the client wrote besides
 * (aliases, literals, the operation's name) stays out of it.
 */
export function tracedExecutor(subgraph: string, execute: SubgraphExecutor): SubgraphExecutor {
  const name = `subgraph ${subgraph}`
  return (request) => {
    if (!areSpansSent()) return execute(request)
    return traced(name, aboutOperation(subgraph, request.document), async (span) => {
      const result = await execute(request)
      const [error] = result.errors ?? []
      if (error) span.setStatus({ code: SpanStatusCode.ERROR, message: String(error.extensions['code'] ?? 'error') })
      return result
    })
  }
}

const known = new WeakMap<DocumentNode, ReturnType<typeof describe>>()

function aboutOperation(subgraph: string, document: DocumentNode): ReturnType<typeof describe> {
  const about = known.get(document) ?? describe(subgraph, document)
  known.set(document, about)
  return about
}

function describe(subgraph: string, { definitions }: DocumentNode) {
  const operation = definitions.find((definition) => definition.kind === Kind.OPERATION_DEFINITION)
  const selections = operation?.selectionSet.selections ?? []
  const fields = selections.flatMap((selection) => (selection.kind === Kind.FIELD ? [selection.name.value] : []))
  return {
    kind: SpanKind.INTERNAL,
    attributes: {
      'payments.subgraph': subgraph,
      'graphql.operation.type': operation?.operation ?? 'query',
      'payments.fields': fields.slice(0, FIELDS_MAX),
    },
  }
}
