import { Arg, Ctx, Directive, InputType, Int, Mutation, Resolver } from 'type-graphql'
import type { SubgraphContext } from '../../../kernel/subgraph.js'
import { Fields } from '../../../kernel/subgraph-fields.js'
import {
  receiveCallback,
  type ReceiveCallbackInput as Input,
  type ReceiveCallbackDeps,
} from '../domain/charges/receive-callback.js'

@Directive('@inaccessible')
@Fields<Input>('input', {
  rail: { type: () => String, description: 'The rail whose provider calls.' },
  path: { type: () => String, description: "What follows the rail's address in the path." },
  authorization: { type: () => String, nullable: true, description: 'The header `authorization`.' },
  body: { type: () => String, description: 'The body.' },
})
@InputType({ description: "A provider's callback as it came." })
export class ReceiveCallbackInput {}

@Resolver()
export class ReceiveCallbackResolver {
  @Directive('@inaccessible')
  @Mutation(() => Int, { description: 'Keeps what a provider tells; gives how many items were new.' })
  receiveCallback(
    @Arg('input', () => ReceiveCallbackInput) input: Input,
    @Ctx() context: SubgraphContext<ReceiveCallbackDeps>,
  ): Promise<number> {
    return receiveCallback(context.deps, input)
  }
}
