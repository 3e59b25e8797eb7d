import type { GraphQLDataSource } from '@apollo/gateway'
import { parse, type DocumentNode } from 'graphql'
import type { RequestContext, SubgraphExecutor } from '../kernel/subgraph.js'

/** How many of the planner's fetches stay parsed. Plans are cached by document, so their texts repeat. */
const PARSED_MAX = 2000

/**
 * A subgraph as the gateway sees it: the planner's fetches are texts that repeat, so each is parsed once.
 * (A stock data source parses or prints each time: half of the gateway's speed.)
 */
export function dataSource(execute: SubgraphExecutor): GraphQLDataSource {
  const parsed = new Map<string, DocumentNode>()
  return {
    async process({ request, context }) {
      const query = request.query ?? ''
      let document = parsed.get(query)
      if (!document) {
        document = parse(query)
        if (parsed.size >= PARSED_MAX) parsed.clear()
        parsed.set(query, document)
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
