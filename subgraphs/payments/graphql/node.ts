import { Arg, Ctx, ID, Query, Resolver } from 'type-graphql'
import { tenantOf, type SubgraphContext } from '../../../kernel/subgraph.js'
import { findNode, findNodes, type FindNodeDeps, type FoundNode } from '../domain/find-node.js'
import { Node } from './node.type.js'

@Resolver()
export class NodeResolver {
  @Query(() => Node, {
    nullable: true,
    description:
      'A payment, order, subscription, refund or verification by its id; null where there is none, or the key may not read it.',
  })
  node(
    @Arg('id', () => ID, { description: 'Of whichever it is.' }) id: string,
    @Ctx() context: SubgraphContext<FindNodeDeps>,
  ): Promise<FoundNode | null> {
    return findNode(context.deps, tenantOf(context), context.caller, id)
  }

  @Query(() => [Node], { nullable: 'itemsAndList', description: 'As `node`, of several ids, in their order.' })
  nodes(
    @Arg('ids', () => [ID], { description: '100 at most.' }) ids: string[],
    @Ctx() context: SubgraphContext<FindNodeDeps>,
  ): Promise<FoundNode | null>[] {
    return findNodes(context.deps, tenantOf(context), context.caller, ids)
  }
}
