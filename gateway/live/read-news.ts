import { OperationTypeNode, parse } from 'graphql'
import { AppError } from '../../kernel/errors.js'
import { askPeer } from '../../kernel/peer.js'
import type { RequestContext, SubgraphExecutor } from '../../kernel/subgraph.js'
import type { Admission, Weighed } from '../admission.js'

/** One entry of a payment's history, as far as a stream looks at it. */
export interface NewsEntry {
  sequence: number
  /** Whether its tenant is told of it. */
  notify: boolean
  /** ISO 8601. */
  createdAt: string
}

/** A change that its tenant is told of, among those of all payments. */
export interface AnnouncedEvent {
  /** ISO 8601. */
  at: string
  paymentId: string
  sequence: number
}

/** How many entries are read at once. */
export const NEWS_PAGE = 100

const HISTORY = parse(
  `query StreamHistory($id: ID!, $after: Int!) {
    payment(id: $id) { sequence history(first: ${NEWS_PAGE}, after: $after) { sequence notify createdAt } }
  }`,
  { noLocation: true },
)
const ANNOUNCED = parse(
  `query StreamAnnounced($at: DateTime!, $paymentId: ID!, $sequence: Int!) {
    announcedEvents(at: $at, paymentId: $paymentId, sequence: $sequence) { at paymentId sequence }
  }`,
  { noLocation: true },
)

/** Reads what happened to a tenant's payments: the payments subgraph is asked for what it shows to no client. */
export interface NewsReader {
  /**
   * A payment's entries behind a sequence, oldest first, a page at most, and the sequence of its last.
   * @throws payment_not_found
   */
  history: (
    context: RequestContext,
    paymentId: string,
    after: number,
  ) => Promise<{ last: number; entries: readonly NewsEntry[] }>
  /** A page of the changes of all payments behind a place, by their times. */
  announced: (context: RequestContext, place: AnnouncedEvent) => Promise<readonly AnnouncedEvent[]>
}

/** What a stream reads waits as a small read of its tenant does: one with hundreds of streams waits for itself, and no other for it. */
const SMALL_READ: Weighed = {
  kind: OperationTypeNode.QUERY,
  weight: 1,
  lane: () => 'payments',
  isPlanned: () => true,
}

/** @param subgraph that of payments */
export function newsReader(subgraph: SubgraphExecutor, admission: Pick<Admission, 'run'>): NewsReader {
  const payments: SubgraphExecutor = (request) =>
    admission.run(SMALL_READ, request.context, (context) => subgraph({ ...request, context }))
  return {
    history: async (context, id, after) => {
      interface Data {
        payment: { sequence: number; history: NewsEntry[] } | null
      }
      const { payment } = await askPeer<Data>(payments, HISTORY, { id, after }, context)
      if (!payment) throw new AppError('payment_not_found')
      return { last: payment.sequence, entries: payment.history }
    },
    announced: async (context, { at, paymentId, sequence }) =>
      (await askPeer<{ announcedEvents: AnnouncedEvent[] }>(payments, ANNOUNCED, { at, paymentId, sequence }, context))
        .announcedEvents,
  }
}
