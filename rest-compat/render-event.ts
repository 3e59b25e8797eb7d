import { Kind, parse, visit, type DocumentNode, type FieldNode } from 'graphql'
import { isObject } from '../kernel/json.js'
import { askPeer } from '../kernel/peer.js'
import type { RenderedEvent, ResourceEvent } from '../kernel/resource-event.js'
import type { RequestContext, SubgraphExecutor } from '../kernel/subgraph.js'
import { operationNamed, type RestOperation } from './operation.js'
import { changeValues } from './other-values.js'
import { rowOf, showRecord } from './routes.js'

/** How a subgraph's events are seen: which REST operation shows the resource, and which hidden field gives it at a time. */
interface Source {
  /** Where it is not named as the source. */
  subgraph?: string
  operation: string
  field: string
  /** Variables of its question besides id and sequence; `previous` is the sequence before the event's. */
  parameters?: string
  /** What is needed of the resource besides its REST view, as aliases that are taken out again. */
  besides: string
  typeOf: (event: ResourceEvent, data: Record<string, unknown>) => string
}

const SOURCES: Readonly<Record<string, Source>> = {
  payments: {
    operation: 'payment',
    field: 'paymentAt',
    parameters: ', $previous: Int!',
    besides:
      '{ at: updatedAt, tenantData { publicClientId webhookUrl }, happened: history(first: 1, after: $previous) { sequence cause } }',
    typeOf: paymentEventType,
  },
  orders: {
    operation: 'order',
    field: 'orderAt',
    besides: '{ at: updatedAt, tenantData { publicClientId webhookUrl } }',
    typeOf: ({ sequence }) => (sequence === 1 ? 'order.created' : 'order.updated'),
  },
  subscriptions: {
    subgraph: 'payments',
    operation: 'subscription',
    field: 'subscriptionAt',
    parameters: ', $previous: Int!',
    besides:
      '{ at: updatedAt, tenantData { publicClientId webhookUrl }, happened: history(first: 1, after: $previous) { sequence type } }',
    typeOf: subscriptionEventType,
  },
  refunds: {
    subgraph: 'payments',
    operation: 'refund',
    field: 'refundAt',
    besides: '{ at: updatedAt, tenantData { publicClientId webhookUrl } }',
    typeOf: ({ sequence }, { status }) => (sequence === 1 ? 'refund.created' : `refund.${String(status)}`),
  },
  kyc: {
    operation: 'kyc-record',
    field: 'kycRecordAt',
    besides: '{ at: updatedAt }',
    typeOf: () => 'kyc.updated',
  },
}

/** An event that leaves a payment's status as it was is a dispute, where the payer's bank took the money back. */
function paymentEventType({ sequence }: ResourceEvent, { status, happened }: Record<string, unknown>): string {
  const entries = Array.isArray(happened) ? (happened as { sequence: number; cause: string }[]) : []
  const cause = entries.find((entry) => entry.sequence === sequence)?.cause
  return cause === 'receipt_taken_back' && status !== 'error' ? 'payment.disputed' : `payment.${String(status)}`
}

function subscriptionEventType({ sequence }: ResourceEvent, { happened }: Record<string, unknown>): string {
  const entries = Array.isArray(happened) ? (happened as { sequence: number; type: string }[]) : []
  const type = entries.find((entry) => entry.sequence === sequence)?.type
  if (type === undefined) throw new Error('a subscription has no such event')
  return type
}

/** Where a tenant's events go that name no address themselves. */
const DEFAULT_ADDRESS = parse('query DefaultAddress { integration { publicClientId webhookUrl } }')

/** Shows an event; undefined where its tenant is not told of it. */
export type EventRenderer = (event: ResourceEvent) => Promise<RenderedEvent | undefined>

/**
 * Shows events as the REST layer would have answered right after them: the documents of the REST operations, asked of a
 * hidden field that gives the resource at a point of its history.
 */
export function eventRenderer(
  operations: ReadonlyMap<string, RestOperation>,
  subgraphs: Readonly<Record<string, SubgraphExecutor>>,
): EventRenderer {
  const prepared = new Map(Object.entries(SOURCES).map(([name, source]) => [name, prepare(source, operations)]))
  return async (event) => {
    const view = prepared.get(event.source)
    const execute = subgraphs[view?.source.subgraph ?? event.source]
    if (!view || !execute) throw new Error(`events of ${event.source} cannot be shown`)
    const { resourceId: id, sequence } = event
    const variables = { id, sequence, previous: sequence - 1 }
    const { data } = await askPeer<{ data: unknown }>(execute, view.document, variables, workerContext(event.tenantId))
    if (!isObject(data)) return undefined
    const { at, tenantData, happened, ...shown } = data
    changeValues({ data: shown }, view.otherAnswers)
    showRecord(shown, rowOf(view.source.operation))
    const address: Record<string, unknown> | null = isObject(tenantData)
      ? tenantData
      : await defaultAddress(subgraphs, event.tenantId)
    return {
      type: view.source.typeOf(event, { ...shown, happened }),
      timestamp: String(at),
      url: textOrNull(address?.['webhookUrl']),
      publicClientId: textOrNull(address?.['publicClientId']),
      data: shown,
    }
  }
}

function prepare(source: Source, operations: ReadonlyMap<string, RestOperation>) {
  const { otherAnswers, document } = operationNamed(operations, source.operation)
  return { source, otherAnswers, document: atEvent(document, source) }
}

/** The document with its root field replaced by the hidden one, and what is needed besides selected too. */
function atEvent(document: DocumentNode, { field, parameters = '', besides }: Source): DocumentNode {
  const [addition] = parse(
    `query At($id: ID!, $sequence: Int!${parameters}) { data: ${field}(id: $id, sequence: $sequence) ${besides} }`,
  ).definitions
  if (addition?.kind !== Kind.OPERATION_DEFINITION) throw new Error('not an operation')
  const [root] = addition.selectionSet.selections
  if (root?.kind !== Kind.FIELD || !root.selectionSet) throw new Error('not a field')
  const { selectionSet } = root
  const replaced = (node: FieldNode): FieldNode => ({
    ...root,
    selectionSet: {
      ...selectionSet,
      selections: [...(node.selectionSet?.selections ?? []), ...selectionSet.selections],
    },
  })
  return visit(document, {
    OperationDefinition: {
      enter: (node) => ({ ...node, variableDefinitions: addition.variableDefinitions ?? [] }),
    },
    Field: (node) => (node.alias?.value === 'data' ? replaced(node) : false),
  })
}

async function defaultAddress(
  subgraphs: Readonly<Record<string, SubgraphExecutor>>,
  tenantId: string,
): Promise<Record<string, unknown> | null> {
  const { accounts } = subgraphs
  if (!accounts) return null
  const answer = await askPeer<{ integration: Record<string, unknown> | null }>(
    accounts,
    DEFAULT_ADDRESS,
    {},
    workerContext(tenantId),
  )
  return answer.integration
}

function workerContext(tenantId: string): RequestContext {
  return { requestId: 'worker', caller: { tenantId, keyId: 'worker', products: [] } }
}

function textOrNull(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}
