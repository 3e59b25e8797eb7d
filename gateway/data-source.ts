import type { GraphQLDataSource } from '@apollo/gateway'
import { parse, type DocumentNode } from 'graphql'
import type { LRUCache } from 'lru-cache'
import { documentBytes, documentLru } from '../kernel/document-size.js'
import type { RequestContext, SubgraphExecutor } from '../kernel/subgraph.js'

/** How much of the planner's fetches stays parsed, for each subgraph. Plans are cached by document, so their texts repeat. */
const PARSED_MAX_BYTES = 8 * 1024 * 1024

/**
 * A subgraph as the gateway sees it: the planner's fetches are texts that repeat, so each is parsed once.
 * (A stock data source parses or prints each time: half of the gateway's speed.)
 */
export function dataSource(
  execute: SubgraphExecutor,
  parsed: LRUCache<string, DocumentNode> = documentLru(PARSED_MAX_BYTES),
): GraphQLDataSource {
  return {
    async process({ request, context }) {
      const query = request.query ?? ''
      let document = parsed.get(query)
      if (!document) {
        // Nobody is told of places in a text that no client sent.
        document = parse(query, { noLocation: true })
        parsed.set(query, document, { size: documentBytes(query, document) })
      }
      const { operationName, variables } = request
      const result = await execute({ document, operationName, variables, context: context as RequestContext })
      return {
        data: result.data ?? null,
        ...(result.errors && { errors: result.errors.map((error) => error.toJSON()) }),
      }
    },
  }
}
