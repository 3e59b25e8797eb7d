import { Arg, Ctx, Directive, Field, InputType, Int, Mutation, Resolver } from 'type-graphql'
import type { SubgraphContext } from '../../../kernel/subgraph.js'
import {
  receiveCallback,
  type ReceiveCallbackInput as Input,
  type ReceiveCallbackDeps,
} from '../domain/charges/receive-callback.js'

@Directive('@inaccessible')
@InputType({ description: "A provider's callback as it came." })
export class ReceiveCallbackInput implements Input {
  @Field(() => String, { description: 'The rail whose provider calls.' })
  rail!: string

  @Field(() => String, { description: "What follows the rail's address in the path." })
  path!: string

  @Field(() => String, { nullable: true, description: 'The header `authorization`.' })
  authorization?: string

  @Field(() => String, { description: 'The body.' })
  body!: string
}

@Resolver()
export class ReceiveCallbackResolver {
  @Directive('@inaccessible')
  @Mutation(() => Int, { description: 'Keeps what a provider tells; gives how many items were new.' })
  receiveCallback(
    @Arg('input', () => ReceiveCallbackInput) input: ReceiveCallbackInput,
    @Ctx() context: SubgraphContext<ReceiveCallbackDeps>,
  ): Promise<number> {
    return receiveCallback(context.deps, input)
  }
}
